import { RequestInvalidError } from "#shared/http";
import type { Handler } from "../operation.ts";
import { listRuns as readRunsPage, readCursor, writeCursor } from "../runs/list-runs.ts";
import { maySee, tenantSeen } from "../tenancy/may-see.ts";
import { summarise } from "../runs/view-run.ts";

export const listRuns: Handler<"listRuns"> = async ({ gateway, query, caller }) => {
  const { cursor, ...wanted } = query;
  const after = cursor === undefined ? null : readCursor(cursor);
  if (after === undefined) {
    throw new RequestInvalidError([
      { path: "/query/cursor", code: "invalid_format", message: "not a cursor of ours" },
    ]);
  }
  const page = await readRunsPage(gateway.store, {
    ...wanted,
    after,
    tenant: tenantSeen(caller),
    sees: (run) => maySee(caller, run),
  });
  return {
    runs: page.runs.map(summarise),
    next_cursor: page.next === null ? null : writeCursor(page.next),
  };
};

import { z } from "zod";
import { RequestInvalidError } from "#shared/http";
import { operation, READERS } from "../operation.ts";
import { listRuns as readPage, readCursor, writeCursor } from "../runs/list-runs.ts";
import { maySee, tenantSeen } from "../tenancy/may-see.ts";
import { runSummarySchema, statusField, summarise } from "../runs/view-run.ts";
import { nameField } from "./request-fields.ts";

const LIMIT_MAX = 200;

export const listRuns = operation({
  id: "listRuns",
  summary: "List runs, newest first",
  scopes: READERS,
  query: z.object({
    status: statusField.exactOptional(),
    team: nameField.exactOptional(),
    limit: z.coerce.number().int().min(1).max(LIMIT_MAX).default(50),
    cursor: z.string().max(200).exactOptional().meta({ description: "next_cursor of the page before." }),
  }),
  status: 200,
  answers: z.object({
    runs: z.array(runSummarySchema),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: "Null at the end. A short page may still have a next one." }),
  }),
  async handle({ gateway, query, caller }) {
    const { cursor, ...wanted } = query;
    const after = cursor === undefined ? null : readCursor(cursor);
    if (after === undefined) {
      throw new RequestInvalidError([
        { path: "/query/cursor", code: "invalid_format", message: "not a cursor of ours" },
      ]);
    }
    const page = await readPage(gateway.store, {
      ...wanted,
      after,
      tenant: tenantSeen(caller),
      sees: (run) => maySee(caller, run),
    });
    return {
      runs: page.runs.map(summarise),
      next_cursor: page.next === null ? null : writeCursor(page.next),
    };
  },
});

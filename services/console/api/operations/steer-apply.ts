import { findBatch, startBatch, stopBatch } from "#shared/ward/batches";
import { AbsentError } from "../../errors.ts";
import { auditAction } from "../guards/audit-action.ts";
import type { Handler } from "../operation.ts";

/** Starts what was planned, or goes on after the canary. */
export const startApply = steer("start", startBatch);

/** Stops it: what was decided stands, nothing more is. */
export const stopApply = steer("stop", stopBatch);

function steer(action: "start" | "stop", change: typeof startBatch): Handler<"startApply"> {
  return async ({ console, params: { batch_id }, body, caller }) => {
    const { store } = console;
    const present = await findBatch(store, batch_id);
    if (present === null) throw new AbsentError("batch");
    const batch = await change(console, batch_id, caller.name);
    await auditAction(store, {
      by: caller.name,
      action: `group.${action}`,
      why: body.why,
      detail: { batch_id },
      fingerprint: present.fingerprint,
    });
    return batch;
  };
}

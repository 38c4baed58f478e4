import { findBatch, undoBatch } from "#shared/ward/batches";
import { AbsentError } from "../../errors.ts";
import { auditAction } from "../guards/audit-action.ts";
import type { Handler } from "../operation.ts";

/** Undoes a discard of a whole group. The answer is the work that restores its cases. */
export const undoApply: Handler<"undoApply"> = async ({
  console,
  params: { batch_id: batchId },
  body: { why },
  caller: { name: by, person },
}) => {
  const { store } = console;
  if ((await findBatch(store, batchId)) === null) throw new AbsentError("batch");
  const undo = await undoBatch(console, { batchId, by, person, why });
  const { batch_id, fingerprint, total } = undo;
  const detail = { batch_id, undoes: batchId, total };
  await auditAction(store, { by, action: "group.undo", why, detail, fingerprint });
  return undo;
};

import { findBatch, findBatchCases } from "#shared/ward/batches";
import { AbsentError } from "../../errors.ts";
import type { Handler } from "../operation.ts";

/** What became of each case of a piece of work on a group, in the order in which they are decided. */
export const listApplyCases: Handler<"listApplyCases"> = async ({
  console: { store },
  params: { batch_id: batchId },
  query,
}) => {
  const batch = await findBatch(store, batchId);
  if (batch === null) throw new AbsentError("batch");
  return { cases: await findBatchCases(store, { batchId, ...query }), total: batch.total };
};

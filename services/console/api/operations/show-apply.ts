import { findBatch } from "#shared/ward/batches";
import { AbsentError } from "../../errors.ts";
import type { Handler } from "../operation.ts";

export const showApply: Handler<"showApply"> = async ({ console, params }) => {
  const batch = await findBatch(console.store, params.batch_id);
  if (batch === null) throw new AbsentError("batch");
  return batch;
};

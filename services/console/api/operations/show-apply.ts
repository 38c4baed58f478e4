import { findBatch } from "#shared/ward/batches";
import { AbsentError } from "../../errors.ts";
import { operation } from "../operation.ts";
import { batchParams } from "./request-fields.ts";

export const showApply = operation({
  id: "showApply",
  role: "viewer",
  params: batchParams,
  async handle({ console, params }) {
    const batch = await findBatch(console.store, params.batch_id);
    if (batch === null) throw new AbsentError("batch");
    return batch;
  },
});

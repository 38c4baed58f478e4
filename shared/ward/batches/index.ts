export { applyToGroup, startBatch, stopBatch } from "./apply-to-group.ts";
export { findBatchCases } from "./batch-cases.ts";
export { findBatch, findBatches } from "./batch.ts";
export type { Batch } from "./batch.ts";
export { runBatches } from "./run-batches.ts";
export { undoBatch } from "./undo-batch.ts";

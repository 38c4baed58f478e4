export { CASE_RESULTS, hasEnded, lengthOf, storedSchema } from "./batch.ts";
export type { Batch, BatchCase, BatchStore, Source } from "./batch.ts";
export { BatchRunner, CANARY_MAX, RATE_MAX } from "./batch-runner.ts";
export type { BatchRequest, UndoRequest } from "./batch-runner.ts";
export { MemoryBatches } from "./memory-batches.ts";

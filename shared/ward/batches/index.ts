export { hasEnded, lengthOf } from "./batch.ts";
export type { Batch, BatchCase, BatchStore, Source } from "./batch.ts";
export { BatchRunner, RATE_MAX } from "./batch-runner.ts";
export type { BatchRequest, UndoRequest } from "./batch-runner.ts";
export { MemoryBatches } from "./memory-batches.ts";

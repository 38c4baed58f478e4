// Must be loaded before ioredis.
import "../keep-strings-fast.ts";

export { AttachedQueue } from "./attached-queue.ts";
export type { AttachableQueue, FailedRow, HeldReason, Sent, Undone } from "./attached-queue.ts";

// Must be loaded before ioredis.
import "../keep-strings-fast.ts";

export { AttachedRedisRefusedError } from "../errors.ts";
export { isRedisReply } from "../script.ts";
export { AttachedQueue } from "./attached-queue.ts";
export type { HeldReason, Sent, Undone } from "./attached-queue.ts";
export type { AttachableQueue } from "./failed-set.ts";
export { toFailedAtMs } from "./failed-set.ts";
export type { FailedPlace, FailedRow, JobCounts } from "./failed-set.ts";
export { connectAttached, openAttached } from "./open-attached.ts";
export type { OpenedQueue } from "./open-attached.ts";

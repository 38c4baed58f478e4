// Must be loaded before ioredis.
import "../keep-strings-fast.ts";

export { Consumer } from "./consume.ts";
export { guardConsumers } from "./guard-consumers.ts";
export { nextWaitingSinceMs } from "./next-waiting.ts";
export type { GuardOptions } from "./guard-consumers.ts";
export type { DeliveredJob, Disposal } from "./consume.ts";
export { describeDamage, queueDepthSchema } from "./handoff-queues.ts";
export type { QueueDamage, Job } from "./handoff-queues.ts";
export type { JobData } from "./job-data.ts";
export { retryQueueOf } from "../keys.ts";

export { OutputCounter } from "./output-counter.ts";
export { rateHandoffs } from "./rate-handoffs.ts";
export { signWebhook } from "./webhooks/post-webhook.ts";
export { WARD_THRESHOLDS_DEFAULT } from "./webhooks/ward-watch.ts";
export { Notifier } from "./webhooks/notifier.ts";
export type { NotifierOptions } from "./webhooks/notifier.ts";

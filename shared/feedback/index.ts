export { OutputCounter } from "./output-counter.ts";
export { rateHandoffs } from "./rate-handoffs.ts";
export { signWebhook } from "./webhooks/post-webhook.ts";
export { Notifier } from "./webhooks/notifier.ts";

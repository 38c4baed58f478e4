export { CIRCUIT_POLICY_DEFAULT, readCircuitPolicy } from "./circuit-policy.ts";
export type { CircuitDeclaration, CircuitPolicy } from "./circuit-policy.ts";
export { CircuitWatch } from "./circuit-watch.ts";
export { rateHandoffs } from "./rate-handoffs.ts";
export { signWebhook } from "./webhooks/sign-webhook.ts";
export { WEBHOOK_DATA } from "./webhooks/webhook-data.ts";
export { WARD_THRESHOLDS_DEFAULT } from "./webhooks/ward-watch.ts";
export { Notifier } from "./webhooks/notifier.ts";
export type { NotifierOptions } from "./webhooks/notifier.ts";

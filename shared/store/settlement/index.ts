// Must be loaded before ioredis.
import "../keep-strings-fast.ts";

export { entryOf } from "./settlement.ts";
export type { Admission, Effects, OutboxEntry, PendingAcknowledgement } from "./settlement.ts";
export { RELAY_AFTER_MS } from "./outbox.ts";
export type { Settlement, WardIntake } from "./settlement.ts";

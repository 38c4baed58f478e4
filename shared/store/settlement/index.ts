// Must be loaded before ioredis.
import "../keep-strings-fast.ts";

export { OutboxIntake } from "../isolation/outbox-intake.ts";
export type { TakenEntry } from "../isolation/outbox-intake.ts";
export { entryOf } from "./settlement.ts";
export type {
  Admission,
  CollectedBranch,
  Effects,
  OutboxEntry,
  PendingAcknowledgement,
} from "./settlement.ts";
export { RELAY_AFTER_MS } from "./outbox.ts";
export type { Settlement, WardIntake } from "./settlement.ts";

// Must be loaded before ioredis.
import "../keep-strings-fast.ts";

export { effectsOf, Settlement } from "./settlement.ts";
export type { Admission, Effects, PendingAcknowledgement } from "./settlement.ts";

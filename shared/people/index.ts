export { ChainCheck } from "./chain-check.ts";
export { appendRecord, peopleRecordSchema } from "./record.ts";
export type { Deed, KnownHead } from "./record.ts";
export { orderIntake, orderPause, readIntake, readPauses } from "./standing-orders.ts";
export { answerReplay, orderReplay, readReplays } from "./replay-orders.ts";
export type { ReplayAnswer, ReplayOrder } from "./replay-orders.ts";

export { appendRecord } from "./append-record.ts";
export type { Deed } from "./append-record.ts";
export { ChainCheck } from "./chain-check.ts";
export type { ChainFault, JudgedRecord } from "./chain-check.ts";
export { asMarked, signGroupMark } from "./group-mark.ts";
export { peopleRecordSchema } from "./record.ts";
export { PAUSES, StandingOrders, orderPause } from "./standing-orders.ts";
export type { PauseOrder } from "./standing-orders.ts";
export type { KnownHead } from "./record.ts";

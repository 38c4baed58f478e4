export { appendRecord } from "./append-record.ts";
export type { Deed } from "./append-record.ts";
export { ChainCheck } from "./chain-check.ts";
export type { ChainFault, JudgedRecord } from "./chain-check.ts";
export { orderPause, StandingPauses } from "./pause-order.ts";
export type { KnownHead, PeopleHead, PeopleRecord } from "./record.ts";

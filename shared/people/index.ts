export { appendRecord } from "./append-record.ts";
export type { Deed } from "./append-record.ts";
export { ChainCheck } from "./chain-check.ts";
export type { ChainFault, JudgedRecord } from "./chain-check.ts";
export { CIRCUITS, orderCircuit, OrderedCircuits } from "./circuit-order.ts";
export { orderPause, PAUSES } from "./pause-order.ts";
export type { PauseOrder } from "./pause-order.ts";
export { StandingOrders } from "./standing-orders.ts";
export type { KnownHead, PeopleHead, PeopleRecord } from "./record.ts";

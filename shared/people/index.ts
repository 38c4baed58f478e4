export { appendRecord } from "./append-record.ts";
export type { Deed } from "./append-record.ts";
export { ChainCheck } from "./chain-check.ts";
export type { ChainFault, JudgedRecord } from "./chain-check.ts";
export { peopleRecordSchema } from "./record.ts";
export type { KnownHead } from "./record.ts";
export { orderPause, readPauses } from "./standing-orders.ts";

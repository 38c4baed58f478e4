// Must be loaded before ioredis.
import "../keep-strings-fast.ts";

export { ENDPOINT_CIRCUIT_RULE_DEFAULT } from "./endpoint-circuits.ts";
export type { EndpointCircuitRule, EndpointCircuits } from "./endpoint-circuits.ts";
export { deliverySchema, noticeReceiverSchema, TEST_NOTICE } from "./notice-store.ts";
export type { Delivery, Notice } from "./notice-store.ts";
export { modelCostSchema, pairKey, payerKey, producerKey, producerRateSchema, RATE_SPANS } from "./rates.ts";
export type { HandoffPair, Payer, HandoffRate, ProducerOfOutput, Rates } from "./rates.ts";

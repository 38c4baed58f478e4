// Must be loaded before ioredis.
import "../keep-strings-fast.ts";

export { CIRCUIT_STATES } from "./circuit-store.ts";
export type { Circuit, CircuitDetail, CircuitRule, CircuitState, CircuitStore } from "./circuit-store.ts";
export { ENDPOINT_CIRCUIT_RULE_DEFAULT } from "./endpoint-circuits.ts";
export type { EndpointCircuitRule } from "./endpoint-circuits.ts";
export type { Notice } from "./notice-store.ts";
export { pointOf } from "./point-of.ts";
export { handoffKey, otherHandoffs } from "./handoff-key.ts";
export type { HandoffPair } from "./handoff-key.ts";
export type { HandoffRate } from "./handoff-rates.ts";
export { producerKey } from "./producer-key.ts";
export type { ProducerOfOutput } from "./producer-key.ts";
export { RATE_SPANS } from "./read-buckets.ts";

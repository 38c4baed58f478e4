export { dropAddedNulls } from "./added-nulls.ts";
export { announceLacks } from "./announce-lacks.ts";
export { withBreaker } from "./circuit-breaker.ts";
export type { BreakingModelClient, CircuitChange } from "./circuit-breaker.ts";
export { createModelClient } from "./create-model-client.ts";
export { measureCalls } from "./measure-calls.ts";
export {
  isFailedGeneration,
  mayBePaid,
  ModelAnswerTooLargeError,
  ModelCircuitOpenError,
  ModelInputRefusedError,
  ModelMisconfiguredError,
  ModelRateLimitedError,
  ModelRefusalError,
  ModelRequestRefusedError,
  ModelTimeoutError,
  ModelUnavailableError,
} from "./errors.ts";
export type { FoundLack } from "./negotiate.ts";
export { TOKENS_PER_IMAGE } from "./image-parts.ts";
export type {
  ModelAnswer,
  ModelCall,
  ModelClient,
  ModelImage,
  ModelTier,
  SpanContent,
} from "./model-client.ts";
export { modelSettings } from "./model-settings.ts";
export { costOf, isPriced, PRICES_DEFAULT } from "./prices.ts";
export type { PriceTable } from "./prices.ts";
export { PROBE } from "./probe.ts";
export { findStrictFaults } from "./strict-rules.ts";
export { toStrictSchema } from "./strict-schema.ts";
export { CALLS_MEMBER, RESULTS_MEMBER } from "./tool-calls.ts";
export type { RequestedCall, ToolRound } from "./tool-calls.ts";
export { tokensAtMost } from "./request-size.ts";

export { dropAddedNulls } from "./added-nulls.ts";
export { announceLacks, measureCalls } from "./measure-calls.ts";
export { withBreaker } from "./circuit-breaker.ts";
export type { BreakingModelClient, CircuitChange } from "./circuit-breaker.ts";
export { createModelClient, modelSettings } from "./create-model-client.ts";
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
export { TOKENS_PER_IMAGE } from "./messages.ts";
export type {
  ModelAnswer,
  ModelCall,
  ModelClient,
  ModelImage,
  ModelTier,
  SpanContent,
} from "./model-client.ts";
export { costOf, isPriced, PRICES_DEFAULT, tokensAtMost } from "./prices.ts";
export type { PriceTable } from "./prices.ts";
export { PROBE } from "./model-client.ts";
export { findStrictFaults } from "./strict-rules.ts";
export { toStrictSchema } from "./strict-schema.ts";
export { CALLS_MEMBER, RESULTS_MEMBER } from "./tool-calls.ts";
export type { RequestedCall, ToolRound } from "./tool-calls.ts";

export { branchFieldOf } from "./deliver/branch-field.ts";
export { retryJobId } from "./deliver/message-id.ts";
export type { Board } from "./define/board.ts";
export { agent } from "./define/define-agent.ts";
export type {
  Agent,
  AgentOptions,
  Context,
  Gathered,
  NoTransitions,
  StandIn,
  Transitions,
} from "./define/define-agent.ts";
export type { HandlerOutcome, HandoffDraft, HandoffOptions } from "./define/handler-outcome.ts";
export { team } from "./define/define-team.ts";
export type { AnyAgent, Edge, LimitClass, Team, TeamOptions } from "./define/define-team.ts";
export { RUNTIME_LIMITS_DEFAULT } from "./deliver/delivery.ts";
export type { RuntimeLimits } from "./deliver/delivery.ts";
export { AgentDefinitionError, UnusableAnswerError } from "./errors.ts";
export { contractFor } from "./define/contract-for.ts";
export { drawTeam } from "./define/draw-team.ts";
export { edgesOf } from "./define/edges-of.ts";
export { HANDOFF_TYPE_DEFAULT } from "./define/handoff-matrix.ts";
export { drawHandoffs, listHandoffs } from "./define/list-handoffs.ts";
export type { ModelTier } from "#shared/model";
export type { ModelRequest, ReferredImage } from "./define/model-request.ts";
export { loadVariants } from "./define/variant.ts";
export type { Variant } from "./define/variant.ts";
export type { OnceOptions } from "./define/once-options.ts";
export { readPrompt } from "./define/read-prompt.ts";

export type {
  Board,
  HandlerOutcome,
  HandoffDraft,
  HandoffOptions,
  ModelRequest,
  ReferredImage,
} from "./define/handler-context.ts";
export type { OnceOptions } from "./tools/define-tool.ts";
export { agent, contractFor } from "./define/define-agent.ts";
export type {
  Agent,
  AgentOptions,
  Context,
  Gathered,
  NoTransitions,
  Transitions,
} from "./define/define-agent.ts";
export type { StandIn } from "./tools/stand-in-calls.ts";
export { team } from "./define/define-team.ts";
export type { AnyAgent, Edge, LimitClass, Team, TeamOptions } from "./define/define-team.ts";
export { RUNTIME_LIMITS_DEFAULT } from "./deliver/delivery.ts";
export type { RuntimeLimits } from "./deliver/delivery.ts";
export { AgentDefinitionError, UnusableAnswerError } from "./errors.ts";
export { drawTeam, edgesOf, drawHandoffs, listHandoffs } from "./define/team-edges.ts";
export { HANDOFF_TYPE_DEFAULT } from "./define/check-team.ts";
export type { ModelTier } from "#shared/model";
export { loadVariants, readPrompt } from "./define/load-teams.ts";
export type { Variant } from "./define/load-teams.ts";

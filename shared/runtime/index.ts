export { admission } from "./admission.ts";
export { branchFieldOf } from "./branch-field.ts";
export { checkIsolation } from "./check-isolation.ts";
export { handoffBounds } from "./count-handoffs.ts";
export { retryJobId } from "./message-id.ts";
export type { Board } from "./board.ts";
export { agent } from "./define-agent.ts";
export type {
  Agent,
  AgentOptions,
  Context,
  Gathered,
  HandlerOutcome,
  HandoffDraft,
  HandoffOptions,
  OnceOptions,
  StandIn,
  Transitions,
} from "./define-agent.ts";
export { team } from "./define-team.ts";
export type { AnyAgent, Edge, LimitClass, Team, TeamOptions } from "./define-team.ts";
export { RUNTIME_LIMITS_DEFAULT } from "./delivery.ts";
export type { RuntimeLimits } from "./delivery.ts";
export {
  AgentDefinitionError,
  NotAcknowledgedError,
  TeamDefinitionError,
  UnusableAnswerError,
} from "./errors.ts";
export { contractFor } from "./contract-for.ts";
export { drawTeam } from "./draw-team.ts";
export { edgesOf } from "./edges-of.ts";
export { HANDOFF_TYPE_DEFAULT } from "./handoff-matrix.ts";
export { drawHandoffs, listHandoffs } from "./list-handoffs.ts";
export type { DeclaredHandoff } from "./list-handoffs.ts";
export { toMicro } from "./fan-out/settle-fan-out.ts";
export { tendFanOuts } from "./fan-out/tend-fan-outs.ts";
export { every } from "./every.ts";
export { obeyPauses } from "./obey-pauses.ts";
export { obeyedCircuits } from "./obeyed-circuits.ts";
export { openHealth } from "./open-health.ts";
export type { OpenHealth } from "./open-health.ts";
export { openKeyFile } from "./key-file.ts";
export { KeyFileMissingError } from "./key-file-errors.ts";
export type { KeyFile } from "./key-file.ts";
export { loadTeams } from "./load-teams.ts";
export type { ModelRequest, ModelTier, ReferredImage } from "./model-request.ts";
export { obeyCircuitOrders } from "./obey-circuit-orders.ts";
export { shareCircuits } from "./share-circuits.ts";
export { startAgents } from "./start-agents.ts";
export type { RunningAgents, StartAgentsOptions } from "./start-agents.ts";
export { loadVariants } from "./variant.ts";
export type { Variant } from "./variant.ts";
export { readPrompt } from "./read-prompt.ts";

export { admission } from "./settle/admission.ts";
export { branchFieldOf } from "./deliver/branch-field.ts";
export { checkIsolation } from "./define/check-isolation.ts";
export { handoffBounds } from "./settle/count-handoffs.ts";
export { retryJobId } from "./deliver/message-id.ts";
export type { Board } from "./define/board.ts";
export { agent } from "./define/define-agent.ts";
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
} from "./define/define-agent.ts";
export { team } from "./define/define-team.ts";
export type { AnyAgent, Edge, LimitClass, Team, TeamOptions } from "./define/define-team.ts";
export { RUNTIME_LIMITS_DEFAULT } from "./deliver/delivery.ts";
export type { RuntimeLimits } from "./deliver/delivery.ts";
export {
  AgentDefinitionError,
  NotAcknowledgedError,
  TeamDefinitionError,
  UnusableAnswerError,
} from "./errors.ts";
export { contractFor } from "./define/contract-for.ts";
export { drawTeam } from "./define/draw-team.ts";
export { edgesOf } from "./define/edges-of.ts";
export { HANDOFF_TYPE_DEFAULT } from "./define/handoff-matrix.ts";
export { drawHandoffs, listHandoffs } from "./define/list-handoffs.ts";
export type { DeclaredHandoff } from "./define/list-handoffs.ts";
export { toMicro } from "./fan-out/settle-fan-out.ts";
export { tendFanOuts } from "./fan-out/tend-fan-outs.ts";
export { every } from "./process/every.ts";
export { obeyPauses } from "./process/obey-pauses.ts";
export { obeyedCircuits } from "./process/obeyed-circuits.ts";
export { openHealth } from "./process/open-health.ts";
export type { OpenHealth } from "./process/open-health.ts";
export { openKeyFile } from "./process/key-file.ts";
export { KeyFileMissingError } from "./process/key-file-errors.ts";
export type { KeyFile } from "./process/key-file.ts";
export { loadTeams } from "./define/load-teams.ts";
export type { ModelRequest, ModelTier, ReferredImage } from "./define/model-request.ts";
export { obeyCircuitOrders } from "./process/obey-circuit-orders.ts";
export { shareCircuits } from "./process/share-circuits.ts";
export { startAgents } from "./process/start-agents.ts";
export type { RunningAgents, StartAgentsOptions } from "./process/start-agents.ts";
export { loadVariants } from "./define/variant.ts";
export type { Variant } from "./define/variant.ts";
export { readPrompt } from "./define/read-prompt.ts";

export { contract, ContractDefinitionError, sensitive } from "#shared/contract";
export type {
  Contract,
  ContractInput,
  ContractOptions,
  ContractOutput,
  SemanticCheck,
} from "#shared/contract";
export { FAILURE_CLASSES, PackageMissingError, SutureError } from "#shared/errors";
export type { Failure, FailureClass, Issue, Severity } from "#shared/errors";
export { agent, AgentDefinitionError, readPrompt, team, UnusableAnswerError } from "#shared/runtime";
export type {
  Agent,
  AgentOptions,
  AnyAgent,
  Board,
  Context,
  Gathered,
  HandlerOutcome,
  HandoffDraft,
  HandoffOptions,
  LimitClass,
  ModelRequest,
  ModelTier,
  OnceOptions,
  ReferredImage,
  StandIn,
  Team,
  TeamOptions,
  Transitions,
  Variant,
} from "#shared/runtime";
export {
  callTools,
  resumable,
  StandInCalls,
  tool,
  ToolProblemError,
  ToolUncertainError,
} from "#shared/runtime/tools";
export type { PreparedCall, StandInTools, Tool } from "#shared/runtime/tools";
export { mcpTools } from "#shared/mcp";
export type { McpServer, McpTools } from "#shared/mcp";
export { compress, compressionStandIns, extraction } from "#shared/context";
export type { ContextNeed, ContextNeeds, CountTokens, ToolCall } from "#shared/context";
export type { Conversation, Envelope, HistoryMessage } from "#shared/envelope";
export type { BoardBounds } from "#shared/store/boards";
export {
  attempt,
  blackboard,
  collectFailures,
  controlShell,
  fanOut,
  fillBranches,
  join,
  mapReduce,
  orDefault,
  router,
  supervisor,
} from "#shared/patterns";
export type {
  Attempt,
  AttemptOptions,
  Blackboard,
  Branches,
  Choice,
  Collected,
  ControlShell,
  ControlShellOptions,
  Crew,
  Decision,
  Defaulted,
  Delegated,
  Delegation,
  Entry,
  FanOutOptions,
  FanOutPolicy,
  Filled,
  JoinOptions,
  MapReduceOptions,
  Route,
  RouterOptions,
  StepFailure,
  Supervision,
  SupervisorOptions,
  Turn,
  View,
} from "#shared/patterns";
export { bestOf, majorityVote, normaliseVote, rubric, synthesise } from "#shared/patterns/ensemble";
export type {
  Ballot,
  Best,
  BestOfOptions,
  Criterion,
  MajorityVoteOptions,
  Question,
  Rubric,
  SynthesisOptions,
  Verdict,
  Voter,
} from "#shared/patterns/ensemble";
export { defineConfig } from "#shared/config";
export type { ProjectConfig } from "#shared/config";
export { constraintFields } from "#shared/runtime/terms";

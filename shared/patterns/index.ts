export { FanOutInvalidError } from "./errors.ts";
export { fanOut, join } from "./fan-out.ts";
export type { Branches, FanOutOptions, FanOutPolicy, JoinOptions } from "./fan-out.ts";
export { mapReduce } from "./map-reduce.ts";
export type { Crew, MapReduceOptions } from "./map-reduce.ts";
export { supervisor } from "./supervisor.ts";
export type { Decision, Delegated, Delegation, Supervision, SupervisorOptions } from "./supervisor.ts";
export { router, watchRouting } from "./router.ts";
export type { Route, RouterOptions, RoutingTimes } from "./router.ts";
export { blackboard, controlShell } from "./blackboard.ts";
export type {
  Blackboard,
  Choice,
  ControlShell,
  ControlShellOptions,
  Entry,
  Turn,
  View,
} from "./blackboard.ts";
export { attempt, collectFailures, fillBranches, orDefault } from "./reactions/reactions.ts";
export type {
  Attempt,
  AttemptOptions,
  Collected,
  Defaulted,
  Filled,
  StepFailure,
} from "./reactions/reactions.ts";

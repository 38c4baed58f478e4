export { abortWithClient } from "./abort-with-client.ts";
export { answerProblems, problemFor } from "./answer-problems.ts";
export type { ProblemOptions } from "./answer-problems.ts";
export { ApiKeys, digestOfKey } from "./api-keys.ts";
export { readJsonOnly } from "./read-json.ts";
export {
  AbsentError,
  ForbiddenError,
  KeyExpiredError,
  PortTakenError,
  RequestInvalidError,
  defineRefusal,
  tellTakenPort,
  UnauthorisedError,
} from "./errors.ts";
export { CLOUD_EVENT_TYPE, sourceOfCluster, sourceOfRun, toCloudEvent } from "./cloud-event.ts";
export { keepConnection } from "./limit-connections.ts";
export { clientAddressOf, lookupOutside, refusalOfAddress } from "./addresses.ts";
export { problemSchema, toProblem } from "./problem.ts";
export type { Problem } from "./problem.ts";
export { serveHealth } from "./serve-health.ts";
export { RateLimit } from "./rate-limit.ts";
export { recordRefusals } from "./record-refusals.ts";
export type { AttemptedRequest } from "./record-refusals.ts";
export { traceOf } from "./trace-requests.ts";

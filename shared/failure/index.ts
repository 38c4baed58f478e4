export { toFailure, toReadable } from "./normalise-error.ts";
export { issuesInText } from "./read-issues.ts";
export { RETRY_POLICY_DEFAULT } from "./route-failure.ts";
export type { RetryPolicy } from "./route-failure.ts";
export { routeFailure } from "./route-failure.ts";
export type { FailedDelivery, FailureRoute } from "./route-failure.ts";
export { withoutParticulars } from "./normalise-error.ts";

export { toFailure, toReadable } from "./normalise-error.ts";
export { issuesInText } from "./read-issues.ts";
export { RETRY_POLICY_DEFAULT } from "./retry-policy.ts";
export type { RetryPolicy } from "./retry-policy.ts";
export { routeFailure } from "./route-failure.ts";
export type { FailedDelivery, FailureRoute } from "./route-failure.ts";
export { withoutParticulars } from "./without-particulars.ts";

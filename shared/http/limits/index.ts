export { FairLimit } from "../fair-limit.ts";
export { FailedAttempts } from "../failed-attempts.ts";

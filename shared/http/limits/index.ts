export { FairLimit } from "../fair-limit.ts";
export { FailedAttempts } from "../rate-limit.ts";

export { FailedAttempts, FairLimit } from "../rate-limit.ts";

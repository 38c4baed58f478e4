export { FairLimit, limitFailures } from "../rate-limit.ts";
export type { CountFailure } from "../rate-limit.ts";

export { askOutside } from "./ask-outside.ts";
export type { OutsideLimits, OutsideRequest } from "./ask-outside.ts";
export { OutsideRateLimitedError, OutsideRefusedError, OutsideUnavailableError } from "./errors.ts";

export { askOutside, OutsideRefusedError, OutsideUnavailableError, readRetryAfter } from "./ask-outside.ts";
export type { OutsideLimits } from "./ask-outside.ts";

export { askOutside, OutsideRefusedError, OutsideUnavailableError } from "./ask-outside.ts";
export type { OutsideLimits } from "./ask-outside.ts";

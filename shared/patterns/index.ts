export { FanOutInvalidError } from "./errors.ts";
export { fanOut } from "./fan-out.ts";
export type { FanOutOptions, FanOutPolicy } from "./fan-out.ts";
export { join } from "./join.ts";
export type { Branches, JoinOptions } from "./join.ts";

// Must be loaded before ioredis.
import "../keep-strings-fast.ts";

export { effectsOf } from "./settlement.ts";
export type { Admission, Effects } from "./settlement.ts";

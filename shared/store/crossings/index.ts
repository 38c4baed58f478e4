// Must be loaded before ioredis.
import "../keep-strings-fast.ts";

export type { RecordedMessage } from "./crossing-store.ts";
export { readChange } from "./read-change.ts";
export type { Return } from "./return.ts";

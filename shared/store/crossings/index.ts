// First: it must stand before anything here loads ioredis.
import "../keep-strings-fast.ts";

export type { RecordedMessage } from "./crossing-store.ts";
export { readChange } from "./read-change.ts";
export type { Return } from "./return.ts";

// Must be loaded before ioredis.
import "../keep-strings-fast.ts";

export { Placement, PLACEMENT_EVERY_MS } from "./placement.ts";
export { newRunId, shardOf, taskKey } from "./run-ids.ts";

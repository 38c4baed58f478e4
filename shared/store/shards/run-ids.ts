import { createHash } from "node:crypto";
import { uuidv7 } from "#shared/clock";

/** Returns the number of a run's shard: the last byte of its id, so 256 at most. NaN for what is no id. */
export function shardOf(runId: string): number {
  return Number.parseInt(runId.slice(-2), 16);
}

/** A new run's id that names its shard, so that shards can be added without moving a run. */
export function newRunId(shard: number): string {
  return uuidv7().slice(0, -2) + shard.toString(16).padStart(2, "0");
}

/** Returns by what a request is known: keys of different callers never meet, and none is a part of a Redis key. */
export function taskKey({ caller, key }: { readonly caller: string; readonly key: string }): string {
  return createHash("sha256").update(`${caller.length}:${caller}${key}`).digest("hex");
}

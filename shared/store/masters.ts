import { Cluster } from "ioredis";
import type { Redis } from "ioredis";

/** Returns the servers that take writes: the single one, or every master of a cluster. */
export function mastersOf(redis: Cluster | Redis): readonly Redis[] {
  return redis instanceof Cluster ? redis.nodes("master") : [redis];
}

/** Parses the `name:value` lines of an `INFO` reply. */
export function parseInfo(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) found.set(line.slice(0, colon), line.slice(colon + 1));
  }
  return found;
}

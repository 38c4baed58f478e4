import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** State file beside the data, by which the next command finds this Redis. */
const stateSchema = z.object({
  url: z.string(),
  /** Socket path. Empty: it listens on the port. */
  socket: z.string().default(""),
  /** Loopback port. 0: it listens on the socket. */
  port: z.int().min(0).max(65_535),
  /** Hex. Empty: started without one by an earlier release. */
  password: z.string().default(""),
  pid: z.int().min(1),
  /** Identity of the Redis process, see lock-folder.mjs. Empty once stopped. */
  redis: z.string(),
  /** Identity of the process that stops it. */
  owner: z.string(),
});

export type PrivateRedisState = z.output<typeof stateSchema>;

/** The state's file. */
export const stateFileOf = (dir: string): string => join(dir, "private-redis.json");

/** Reads the last state; null when it is missing or unreadable. */
export function readState(dir: string): PrivateRedisState | null {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(stateFileOf(dir), "utf8")));
  } catch {
    return null;
  }
}

/** Writes the state atomically. */
export function writeState(dir: string, state: PrivateRedisState): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const temporary = `${stateFileOf(dir)}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, stateFileOf(dir));
}

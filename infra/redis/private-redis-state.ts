import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** What is written beside the data, so that the next command finds the Redis of the last one. */
const stateSchema = z.object({
  url: z.string(),
  /** Path of its socket. Empty: it listens on the port. */
  socket: z.string().default(""),
  /** Of the loopback. 0: it listens on the socket. */
  port: z.int().min(0).max(65_535),
  /** Hex. Empty: an earlier release started it without one. */
  password: z.string().default(""),
  pid: z.int().min(1),
  /** Identity of the Redis process, see lock-folder.mjs. Empty when it was stopped. */
  redis: z.string(),
  /** Identity of the process that stops it. */
  owner: z.string(),
});

export type PrivateRedisState = z.output<typeof stateSchema>;

const fileOf = (dir: string): string => join(dir, "private-redis.json");

/** The state that was written last; null if there is none or it cannot be read. */
export function readState(dir: string): PrivateRedisState | null {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(fileOf(dir), "utf8")));
  } catch {
    return null;
  }
}

/** Writes the state in one step: a reader sees the old one or the new one. */
export function writeState(dir: string, state: PrivateRedisState): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const temporary = `${fileOf(dir)}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, fileOf(dir));
}

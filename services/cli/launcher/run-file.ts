import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isSameProcess } from "../../../infra/lock-folder.mjs";
import { writeSecret } from "./key-files.ts";

/** The state of a running launcher, in `<data folder>/run.json`. */
const runSchema = z.object({
  pid: z.int().min(1),
  /** Tells the launcher from a later process with the same id. */
  identity: z.string(),
  gateway_url: z.string(),
  /** Null until it answers. */
  console_url: z.string().nullable(),
  /** Bundled model server and sandbox; null where it does not run. */
  rehearsal_url: z.string().nullable(),
  data_dir: z.string(),
  /** File with the API keys that were generated; null where they were configured. */
  api_keys_file: z.string().nullable(),
  /** Process of the private Redis; null where another one is used. */
  redis_pid: z.int().nullable(),
  children: z.array(z.object({ name: z.string(), pid: z.int() })),
});

export type RunFile = z.output<typeof runSchema>;

const fileOf = (dataDir: string): string => join(dataDir, "run.json");

/** Writes the file in one step: a reader sees the old one or the new one. */
export function writeRunFile(run: RunFile): void {
  writeSecret(fileOf(run.data_dir), `${JSON.stringify(run, null, 2)}\n`);
}

/** Reads the file of the last launcher, dead or alive; null if there is none. */
export function readRunFile(dataDir: string): RunFile | null {
  try {
    return runSchema.parse(JSON.parse(readFileSync(fileOf(dataDir), "utf8")));
  } catch {
    return null;
  }
}

/** The launcher that runs at this moment; null where none does. */
export function findRunning(dataDir: string): RunFile | null {
  const run = readRunFile(dataDir);
  return run !== null && isSameProcess(run.identity) ? run : null;
}

export function removeRunFile(dataDir: string): void {
  rmSync(fileOf(dataDir), { force: true });
}

/** The address under which this machine reaches a service that listens on `host`. */
export function addressOf(host: string, port: number): string {
  if (host === "0.0.0.0") return `http://127.0.0.1:${port}`;
  if (host === "::") return `http://[::1]:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

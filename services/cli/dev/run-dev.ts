import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { watch, closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sleep, whenAborted } from "#shared/clock";
import { loadConfig } from "#shared/config";
import type { ConfigOverrides } from "#shared/config";
import { isRecord, readJson } from "#shared/json";
import { FOREGROUND, spawnService } from "../launcher/spawn-service.ts";
import { listenForStop } from "../launcher/stop-signals.ts";
import { write } from "../print/print-answer.ts";

const MAIN = fileURLToPath(new URL(`../main${extname(import.meta.filename)}`, import.meta.url));
/** Editors write a file in several steps: what follows within this time, in ms, is one change. */
const SETTLE_MS = 300;
/** Files whose change starts nothing again. */
const IGNORED = /(?:^|\/)(?:\.|node_modules\/)|\.test\.[jt]s$|~$/;

/** Runs `suture up` again at each change of the teams; shows agents' failures. @param flags - Options of `up`. */
export async function runDev(
  flags: readonly string[],
  overrides: Pick<ConfigOverrides, "SUTURE_DATA_DIR">,
): Promise<void> {
  const { teamsDir, dataDir } = loadConfig(undefined, overrides);
  let up: ChildProcess | null = null;
  const { signal, release } = listenForStop(() => {
    up?.kill("SIGKILL");
    process.exit(1);
  });
  const stopped = whenAborted(signal).catch(() => "stopped" as const);
  const changes = watchTeams(teamsDir);
  const endFollowing = followFailures(dataDir);
  try {
    while (!signal.aborted) {
      up = spawnService({ script: MAIN, args: ["up", ...flags], env: process.env }, FOREGROUND);
      const ended = once(up, "exit").then(() => "ended" as const);
      const why = await Promise.race([ended, changes.next(), stopped]);
      if (why === "ended" && !signal.aborted) {
        write(`Everything is stopped. It starts again when a file in ${teamsDir} changes.`);
        await Promise.race([changes.next(), stopped]);
      } else {
        up.kill("SIGTERM");
        await ended;
      }
      if (!signal.aborted) write("A file of the teams has changed: starting again.");
    }
  } finally {
    changes.close();
    endFollowing();
    release();
  }
}

/** Watches a folder and what is below it. */
function watchTeams(folder: string): { next(): Promise<"changed">; close(): void } {
  let changed = Promise.withResolvers<"changed">();
  const watcher = watch(folder, { recursive: true }, (_event, path) => {
    if (path !== null && !IGNORED.test(path)) changed.resolve("changed");
  });
  return {
    next: async () => {
      const found = await changed.promise;
      await sleep(SETTLE_MS);
      changed = Promise.withResolvers();
      return found;
    },
    close: () => watcher.close(),
  };
}

const EVERY_MS = 300;
/** Bytes of a log that are read at once. */
const BYTES_MAX = 1024 * 1024;

/** Writes the failures that agents log from now on: what, where, about which data. @returns A function that ends it. */
function followFailures(dataDir: string): () => void {
  const folder = join(dataDir, "logs");
  const readTo = new Map<string, number>();
  const shown = new Set<string>();
  const show = (line: string): void => {
    const failure = readFailure(line);
    if (failure === null) return;
    const { title, details } = failure;
    const text = [title, ...details].join("\n");
    // A retry fails as the delivery before it did.
    write(shown.has(text) ? `${title} (again)` : text);
    shown.add(text);
  };
  for (const file of logsIn(folder)) readTo.set(file, sizeOf(file));
  const turn = (): void => {
    for (const file of logsIn(folder)) {
      const { lines, next } = readLines(file, readTo.get(file) ?? 0);
      readTo.set(file, next);
      for (const line of lines) show(line);
    }
  };
  const timer = setInterval(turn, EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    turn();
  };
}

function logsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^(?:agents-.*|services)\.log$/.test(name))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Reads whole lines. A log that has become shorter was set aside, and is read from its new start. */
function readLines(file: string, from: number): { readonly lines: readonly string[]; readonly next: number } {
  const size = sizeOf(file);
  const start = size < from ? 0 : from;
  if (size === start) return { lines: [], next: start };
  const bytes = Buffer.alloc(Math.min(size - start, BYTES_MAX));
  const descriptor = openSync(file, "r");
  readSync(descriptor, bytes, 0, bytes.length, start);
  closeSync(descriptor);
  // A line longer than what is read at once is no log line of ours.
  const end = bytes.lastIndexOf("\n") + 1 || (bytes.length === BYTES_MAX ? BYTES_MAX : 0);
  return { lines: bytes.toString("utf8", 0, end).split("\n"), next: start + end };
}

/** Reads a line that reports a failure; null for any other. */
function readFailure(line: string): { readonly title: string; readonly details: readonly string[] } | null {
  const entry = readJson(line);
  if (!isRecord(entry) || typeof entry["class"] !== "string" || typeof entry["reason"] !== "string")
    return null;
  const { agent, code, reason, step, paths, stack, to, run_id: runId } = entry;
  const title = `${String(agent)} failed${typeof to === "string" ? ` to hand to ${to}` : ""}: ${String(code)}`;
  const pointers = textsIn(paths).map((path) => (path === "" ? "the whole value" : path));
  return {
    title,
    details: [
      `  ${reason}`,
      ...textsIn(stack).map((frame) => `    at ${frame}`),
      ...(typeof step === "string" ? [`  step ${step}`] : []),
      ...(pointers.length === 0 ? [] : [`  at ${pointers.join(", ")}`]),
      ...(typeof runId === "string" && runId !== "" ? [`  suture runs show ${runId}`] : []),
    ],
  };
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "#shared/json";

const EVERY_MS = 300;
/** Bytes of a log that are read at once. */
const BYTES_MAX = 1024 * 1024;

/**
 * Writes the failures that the agents' processes log from now on: what, where in the code, and about which data.
 *
 * @returns A function that ends it.
 */
export function followFailures(dataDir: string, write: (line: string) => void): () => void {
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
  const entry = parse(line);
  if (entry === null || typeof entry["class"] !== "string" || typeof entry["reason"] !== "string")
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

function parse(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

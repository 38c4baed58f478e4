import { closeSync, fstatSync, mkdirSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";

const TAIL_BYTES = 16_384;
const LINE_CHARS_MAX = 300;

/** Opens a process's log for appending. @returns The file descriptor, the caller's to close. */
export function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return openSync(file, "a", 0o600);
}

/** The last lines of a log, each cut to a readable length; none where there is no log. */
export function readLastLines(file: string, linesMax: number): string[] {
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch {
    return [];
  }
  try {
    const { size } = fstatSync(descriptor);
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
    const lines = bytes
      .toString("utf8")
      .split("\n")
      .filter((line) => line.trim() !== "");
    return lines.slice(-linesMax).map((line) => line.slice(0, LINE_CHARS_MAX));
  } finally {
    closeSync(descriptor);
  }
}

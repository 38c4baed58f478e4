import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  truncateSync,
} from "node:fs";
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
  if (!existsSync(file)) return [];
  const descriptor = openSync(file, "r");
  const { size } = fstatSync(descriptor);
  const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
  readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
  closeSync(descriptor);
  const lines = bytes
    .toString("utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  return lines.slice(-linesMax).map((line) => line.slice(0, LINE_CHARS_MAX));
}

/**
 * Sets a log aside as `<file>.1`, in place of the one before, once it has grown beyond `bytesMax`. Its process goes on
 * writing at the new start, because it appends; lines of the moment between copying and cutting are lost. A folder that
 * cannot be written now is tried again next time.
 *
 * @returns Whether it was set aside.
 */
export function limitLog(file: string, bytesMax: number): boolean {
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= bytesMax) return false;
    copyFileSync(file, `${file}.1`);
    truncateSync(file, 0);
    return true;
  } catch {
    return false;
  }
}

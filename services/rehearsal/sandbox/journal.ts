import { mkdir, open, readFile, truncate } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { JournalDamagedError } from "../errors.ts";

const recordSchema = z.object({
  kind: z.enum(["refund", "ticket", "lead"]),
  id: z.string(),
  /** The caller's idempotency key; null when it sent none. */
  key: z.string().nullable(),
  at: z.string(),
  body: z.record(z.string(), z.unknown()),
});

/** One effect on the outside world. */
export type SandboxRecord = z.infer<typeof recordSchema>;

/** A file of JSON lines that is on the disk before anyone is told. */
export interface Journal {
  /** What an earlier process wrote, oldest first. */
  readonly records: readonly SandboxRecord[];
  /** Resolves once the record is on the disk. Records that come together share one write. */
  append(record: SandboxRecord): Promise<void>;
  close(): Promise<void>;
}

/** @throws {JournalDamagedError} A whole line is no record. Half a last line is what a kill leaves, and is dropped. */
export async function openJournal(path: string): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const records = await reload(path);
  const file = await open(path, "a", 0o600);
  let { size } = await file.stat();
  let waiting: string[] = [];
  let writing = Promise.resolve();
  let joined: Promise<void> | null = null;

  async function writeWaiting(before: Promise<unknown>): Promise<void> {
    await before;
    const lines = waiting;
    waiting = [];
    joined = null;
    size = await write(file, size, lines.join(""));
  }

  return {
    records,
    append(record) {
      waiting.push(`${JSON.stringify(record)}\n`);
      if (joined === null) {
        joined = writeWaiting(writing);
        // The next write waits for this one, whether or not it succeeds.
        writing = joined.catch(() => undefined);
      }
      return joined;
    },
    async close() {
      await writing;
      await file.close();
    },
  };
}

/** Writes and returns the new size. What a failed write leaves is cut off, or the next line would be glued to it. */
async function write(file: FileHandle, size: number, text: string): Promise<number> {
  try {
    await file.appendFile(text, "utf8");
    await file.datasync();
  } catch (error) {
    await file.truncate(size);
    throw error;
  }
  return size + Buffer.byteLength(text);
}

async function reload(path: string): Promise<SandboxRecord[]> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return Buffer.alloc(0);
    throw error;
  });
  const end = bytes.lastIndexOf("\n") + 1;
  // Without this, the next line would be glued to the half one.
  if (end < bytes.length) await truncate(path, end);
  const lines = bytes.subarray(0, end).toString("utf8").split("\n").slice(0, -1);
  return lines.map((line, index) => readLine(line, index + 1));
}

function readLine(line: string, number: number): SandboxRecord {
  try {
    return recordSchema.parse(JSON.parse(line));
  } catch {
    throw new JournalDamagedError(number);
  }
}

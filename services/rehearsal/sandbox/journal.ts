import { mkdir, open, readFile, truncate } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { JournalDamagedError } from "../errors.ts";

const recordSchema = z.object({
  kind: z.enum(["refund", "ticket", "lead"]),
  id: z.string(),
  /** The caller's idempotency key; null for none. */
  key: z.string().nullable(),
  at: z.string(),
  body: z.record(z.string(), z.unknown()),
});

/** One recorded side effect. */
export type SandboxRecord = z.infer<typeof recordSchema>;

/** An append-only file of JSON lines, synchronised before it confirms. */
export interface Journal {
  /** Records of earlier processes, oldest first. */
  readonly records: readonly SandboxRecord[];
  /** Resolves when the record is on disk. Concurrent records share one write. */
  append(record: SandboxRecord): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the journal. Drops an incomplete last line, which a kill leaves.
 * @throws {JournalDamagedError} A complete line is no record.
 */
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
        // The next write waits for this one, failed or not.
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

/** Appends text and returns the new size. Truncates after a failed write, or the next line would join its rest. */
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
  // Otherwise the next line would join the incomplete one.
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

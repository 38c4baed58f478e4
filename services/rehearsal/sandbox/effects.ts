import { appendFileSync, mkdirSync, readFileSync, truncateSync } from "node:fs";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { derivedId, timestamp, uuidv7 } from "#shared/clock";
import { defineError } from "#shared/errors";

/** The sandbox's journal has a damaged line. */
export class JournalDamagedError extends defineError((line: number) => ({
  code: "REHEARSAL_JOURNAL_DAMAGED",
  failureClass: "handler_error",
  severity: "fatal",
  message: `Line ${line} of the sandbox's journal cannot be read.`,
  remedy: "Move sandbox.jsonl out of the data folder, or correct that line, and start again.",
})) {}

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

/** Side effects in the sandbox's systems, countable over HTTP. */
export interface Effects {
  /**
   * Performs a side effect once for each kind and idempotency key; without a key, every time. It is in the journal when
   * this returns, so that it outlives a kill. Null: the key belongs to another request.
   */
  carryOut(effect: Pick<SandboxRecord, "kind" | "key" | "body">): SandboxRecord | null;
  list(kind: SandboxRecord["kind"], key: string | undefined): readonly SandboxRecord[];
}

/** Opens the journal's effects; drops a kill's incomplete last line. @throws {JournalDamagedError} No record. */
export function openEffects(path: string): Effects {
  const slotOf = ({ kind, key, id }: Pick<SandboxRecord, "kind" | "key" | "id">): string =>
    key === null ? id : `${kind}:${key}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const records = new Map(reload(path).map((record) => [slotOf(record), record]));
  return {
    carryOut: (effect) => {
      const id = `${effect.kind}_${effect.key === null ? uuidv7() : derivedId(effect.kind, effect.key)}`;
      const before = records.get(slotOf({ ...effect, id }));
      if (before !== undefined) return isDeepStrictEqual(before.body, effect.body) ? before : null;
      const record = { ...effect, id, at: timestamp() };
      appendFileSync(path, `${JSON.stringify(record)}\n`, { mode: 0o600 });
      records.set(slotOf(record), record);
      return record;
    },
    list: (kind, key) =>
      key === undefined
        ? [...records.values()].filter((record) => record.kind === kind)
        : [records.get(slotOf({ kind, key, id: "" })) ?? []].flat(),
  };
}

function reload(path: string): SandboxRecord[] {
  appendFileSync(path, "", { mode: 0o600 });
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf("\n") + 1;
  // Otherwise the next line would join the incomplete one.
  if (end < bytes.length) truncateSync(path, end);
  const lines = bytes.subarray(0, end).toString("utf8").split("\n").slice(0, -1);
  return lines.map((line, index) => {
    try {
      return recordSchema.parse(JSON.parse(line));
    } catch {
      throw new JournalDamagedError(index + 1);
    }
  });
}

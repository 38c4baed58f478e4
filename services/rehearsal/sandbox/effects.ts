import { isDeepStrictEqual } from "node:util";
import { derivedId, timestamp, uuidv7 } from "#shared/clock";
import { IdempotencyConflictError, SandboxFullError } from "../errors.ts";
import type { Journal, SandboxRecord } from "./journal.ts";

/** Side effects in the sandbox's systems, countable over HTTP. */
export interface Effects {
  /**
   * Performs a side effect once for each kind and idempotency key; without a key, every time. Resolves when it is on
   * disk.
   * @throws {IdempotencyConflictError} The key belongs to another request.
   * @throws {SandboxFullError} The sandbox is full.
   */
  carryOut(effect: Pick<SandboxRecord, "kind" | "key" | "body">): Promise<SandboxRecord>;
  list(kind: SandboxRecord["kind"], filter?: { readonly key?: string | undefined }): readonly SandboxRecord[];
}

interface Kept {
  readonly record: SandboxRecord;
  /** Resolves when the record is on disk. */
  readonly written: Promise<void>;
}

/** @param recordsMax - Maximum number of effects. Default 1,000,000. */
export function createEffects(journal: Journal, recordsMax = 1_000_000): Effects {
  const kept = new Map<string, Kept>();
  // Shows only what is on disk, because a caller may act on it.
  const shown = new Map<string, SandboxRecord>();
  for (const record of journal.records) {
    const slot = slotOf(record, record.id);
    kept.set(slot, { record, written: Promise.resolve() });
    shown.set(slot, record);
  }

  async function carryOut(effect: Pick<SandboxRecord, "kind" | "key" | "body">): Promise<SandboxRecord> {
    const id = `${effect.kind}_${effect.key === null ? uuidv7() : derivedId(effect.kind, effect.key)}`;
    const slot = slotOf(effect, id);
    const before = kept.get(slot);
    if (before !== undefined) {
      if (!isDeepStrictEqual(before.record.body, effect.body)) throw new IdempotencyConflictError();
      await before.written;
      return before.record;
    }
    if (kept.size >= recordsMax) throw new SandboxFullError(recordsMax);
    const record = { ...effect, id, at: timestamp() };
    // Reserved before the write, so that a second request with this key waits for the first.
    const written = journal.append(record);
    kept.set(slot, { record, written });
    try {
      await written;
    } catch (error) {
      kept.delete(slot);
      throw error;
    }
    shown.set(slot, record);
    return record;
  }

  return {
    carryOut,
    list: (kind, { key } = {}) => {
      if (key === undefined) return [...shown.values()].filter((record) => record.kind === kind);
      const record = shown.get(slotOf({ kind, key }, ""));
      return record === undefined ? [] : [record];
    },
  };
}

function slotOf({ kind, key }: Pick<SandboxRecord, "kind" | "key">, id: string): string {
  return key === null ? id : `${kind}:${key}`;
}

import { now } from "#shared/clock";
import type { Keys } from "../keys.ts";

/** Prompts remembered as written. With more, some are written again. */
const REMEMBERED_MAX = 256;

/** Texts of instructions, written by a process once in each life of a ledger entry, not with every model call. */
export class KeptPrompts {
  /** Time for which a text is kept after it was written, in ms. */
  readonly lifeMs: number;
  private readonly keys: Keys;
  private readonly againMs: number;
  private readonly writtenMs = new Map<string, number>();

  /** @param ledgerLifeMs - A text stays at least this long after a call that used it. */
  constructor(keys: Keys, ledgerLifeMs: number) {
    this.keys = keys;
    this.againMs = ledgerLifeMs;
    this.lifeMs = 2 * ledgerLifeMs;
  }

  /** Returns the key and the text to write; null if the text is kept for long enough. */
  toWrite(
    agent: string,
    prompt: { readonly sha256: string; readonly text: string },
  ): { readonly key: string; readonly text: string } | null {
    const key = this.keys.prompt(agent, prompt.sha256);
    const writtenMs = this.writtenMs.get(key);
    return writtenMs !== undefined && now() - writtenMs < this.againMs ? null : { key, text: prompt.text };
  }

  /** Remembers that a text was written. */
  written(key: string): void {
    if (this.writtenMs.size >= REMEMBERED_MAX) this.writtenMs.clear();
    this.writtenMs.set(key, now());
  }
}

import { readJson } from "../read-fields.ts";

/** A step to record. */
export interface RecordedStep {
  readonly name: string;
  /** JSON text. */
  readonly result: string;
  /** JSON text of what is shown of it: its times, its input. Never read by a handler. Default: none. */
  readonly account?: string;
  /** Instructions of a model call, kept once for each text. Default: none. */
  readonly prompt?: { readonly sha256: string; readonly text: string };
}

/** A message's ledger entry, for display. */
export interface LedgerEntry {
  /** SHA-256 of the sealed bytes that the receiver verified, hex; null if it has verified none. */
  readonly digest: string | null;
  readonly steps: readonly EntryStep[];
  readonly effects: readonly EntryEffect[];
  /** Present if Redis holds something else under its key. */
  readonly isUnreadable?: true;
}

interface EntryStep {
  readonly name: string;
  /** JSON text as it was recorded. */
  readonly result: string;
  /** Parsed account. Undefined: none, as of older releases, or not readable. */
  readonly account: unknown;
}

interface EntryEffect {
  /** The author's key. */
  readonly key: string;
  /** Parsed note of its claim; undefined if it cannot be read. */
  readonly note: unknown;
}

/** Parses a ledger's hash, for display. */
export function toEntry(fields: Readonly<Record<string, string>>): LedgerEntry {
  const steps: EntryStep[] = [];
  const effects: EntryEffect[] = [];
  for (const [field, text] of Object.entries(fields)) {
    const name = field.slice(2);
    if (field.startsWith("s:"))
      steps.push({ name, result: text, account: readJson(fields[`a:${name}`] ?? "") });
    else if (field.startsWith("x:")) effects.push({ key: name, note: readJson(text) });
  }
  return { digest: fields["digest"] ?? null, steps, effects };
}

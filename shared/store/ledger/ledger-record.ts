import { readJson } from "#shared/json";

/** A message's ledger entry at the start of a delivery. */
export interface LedgerRecord {
  /** Time of first acceptance; null before. */
  readonly acceptedAt: string | null;
  /** Number of times it was put back into the retry queue. */
  readonly requeues: number;
  /** Cost that earlier deliveries reported to the run. */
  readonly billed: Spending;
  /** Recorded steps: name to JSON text. */
  readonly steps: ReadonlyMap<string, string>;
}

/** Money (in millionths of the run's currency; integers, so that sums are exact) and tokens. */
export interface Spending {
  readonly costMicro: number;
  readonly tokens: number;
}

/** Parses a ledger's hash from a flat list of fields and values. */
export function toRecord(flat: readonly string[]): LedgerRecord {
  const steps = new Map<string, string>();
  let acceptedAt: string | null = null;
  let requeues = 0;
  let billed: Spending = { costMicro: 0, tokens: 0 };
  for (let i = 0; i + 1 < flat.length; i += 2) {
    const field = String(flat[i]);
    const value = String(flat[i + 1]);
    if (field.startsWith("s:")) steps.set(field.slice(2), value);
    else if (field === "accepted") acceptedAt = value;
    else if (field === "requeues") requeues = Number(value);
    else if (field === "billed") billed = toSpending(value);
  }
  return { acceptedAt, requeues, billed, steps };
}

function toSpending(text: string): Spending {
  const [costMicro = "0", tokens = "0"] = text.split("|");
  return { costMicro: Number(costMicro), tokens: Number(tokens) };
}

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

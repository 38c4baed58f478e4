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

/** A sender, a receiver and what is sent between them: the dimensions that handoffs are counted by. */
export interface HandoffPair {
  /** Plain names. */
  readonly from: string;
  readonly to: string;
  readonly handoff_type: string;
  /** `name@version` of the contract sent. */
  readonly contract: string;
}

const PART_CHARS_MAX = 100;
const OTHERS = "others";

/** Returns the counter key: `d|` (done) or `f|` (failed), then the pair. */
export function handoffKey({ isDone, ...pair }: HandoffPair & { readonly isDone: boolean }): string {
  const parts = [pair.from, pair.to, pair.handoff_type, pair.contract].map((part) =>
    part.slice(0, PART_CHARS_MAX).replaceAll("|", "_"),
  );
  return `${isDone ? "d" : "f"}|${parts.join("|")}`;
}

/** Returns the overflow counter for pairs beyond the limit, so that sums stay exact. */
export function otherHandoffs(key: string): string {
  return `${key.slice(0, 2)}${OTHERS}`;
}

/** Parses a key of `handoffKey` without its first two characters. */
export function readHandoffKey(pair: string): HandoffPair {
  const [from = "", to = "", handoff_type = "", contract = ""] = pair.split("|");
  return { from, to, handoff_type, contract };
}

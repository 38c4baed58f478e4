/** A pair of agents and what goes between them: what handoffs are counted by. */
export interface HandoffPair {
  /** Plain names. */
  readonly from: string;
  readonly to: string;
  readonly handoff_type: string;
  /** `name@version` of what was sent. */
  readonly contract: string;
}

const PART_CHARS_MAX = 100;
const OTHERS = "others";

/** Done with `d|` before the pair, failed with `f|`. */
export function handoffKey({ isDone, ...pair }: HandoffPair & { readonly isDone: boolean }): string {
  const parts = [pair.from, pair.to, pair.handoff_type, pair.contract].map((part) =>
    part.slice(0, PART_CHARS_MAX).replaceAll("|", "_"),
  );
  return `${isDone ? "d" : "f"}|${parts.join("|")}`;
}

/** Where pairs too many to tell apart are counted, so that sums stay true. */
export function otherHandoffs(key: string): string {
  return `${key.slice(0, 2)}${OTHERS}`;
}

/** What `handoffKey` wrote, without its first two characters. */
export function readHandoffKey(pair: string): HandoffPair {
  const [from = "", to = "", handoff_type = "", contract = ""] = pair.split("|");
  return { from, to, handoff_type, contract };
}

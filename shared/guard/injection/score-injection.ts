import { toPlainText } from "./plain-text.ts";
import { isGiven, SIGNALS } from "./signals.ts";
import type { InjectionReason } from "./signals.ts";

/** How much a text looks as if it were written for the program that reads it. */
export interface InjectionScore {
  /** 0: nothing of the kind, towards 1: hardly anything else. A likelihood of nothing; for comparing with a bound. */
  readonly score: number;
  readonly reasons: readonly InjectionReason[];
}

/** Share of the score at which a declared reaction sets in, unless its agent says otherwise. */
export const INJECTION_AT_DEFAULT = 0.6;

const HIDING_WEIGHT = 0.5;
/** Letters in disguise from which it is no accident. */
const DISGUISED_MIN = 2;
const ENCODED = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,4096}={0,2}/g;
/** Pieces of base64 that are opened in one text. */
const ENCODED_MAX = 32;

/**
 * Weighs a text of unknown origin. Heuristics, in several languages: they find what is meant to be found out rarely,
 * and take an honest text for an attack at times. So the score is a reason to look, never alone one to drop anything.
 *
 * Linear in the text; of more than 262,144 characters the beginning and the end are read.
 */
export function scoreInjection(text: string): InjectionScore {
  const weights = weighPlain(text);
  for (const piece of text.matchAll(ENCODED).take(ENCODED_MAX)) {
    const inner = weighPlain(decoded(piece[0]));
    inner.delete("hides_text");
    if (total(inner) > 0) weights.set("encodes_orders", Math.max(...inner.values()));
  }
  return { score: total(weights), reasons: [...weights.keys()] };
}

function weighPlain(original: string): Map<InjectionReason, number> {
  const { text, hidden, disguised } = toPlainText(original);
  const weights = new Map<InjectionReason, number>();
  for (const signal of SIGNALS) {
    const { reason, weight } = signal;
    if ((weights.get(reason) ?? 0) < weight && isGiven(signal, text)) weights.set(reason, weight);
  }
  if (hidden > 0 || disguised >= DISGUISED_MIN) weights.set("hides_text", HIDING_WEIGHT);
  return weights;
}

/** Independent doubts: each takes its share of what the others have left. */
function total(weights: ReadonlyMap<InjectionReason, number>): number {
  const left = [...weights.values()].reduce((product, weight) => product * (1 - weight), 1);
  return Math.round((1 - left) * 1000) / 1000;
}

/** What base64 says, if it says a text; "" otherwise. */
function decoded(piece: string): string {
  const text = Buffer.from(piece, "base64").toString("utf8");
  return text.includes("\uFFFD") || text.includes("\0") ? "" : text;
}

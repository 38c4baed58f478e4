import { toPlainText } from "./plain-text.ts";
import { isGiven, SIGNALS } from "./signals.ts";
import type { InjectionReason } from "./signals.ts";

/** How much a text resembles a prompt injection. */
export interface InjectionScore {
  /** 0 for no signal, approaching 1. Not a probability: compare it with a threshold. */
  readonly score: number;
  readonly reasons: readonly InjectionReason[];
}

/** Default threshold of a declared reaction. */
export const INJECTION_AT_DEFAULT = 0.6;

const HIDING_WEIGHT = 0.5;
/** Number of disguised letters that is no accident. */
const DISGUISED_MIN = 2;
const ENCODED = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,4096}={0,2}/g;
/** Maximum number of base64 pieces decoded in one text. */
const ENCODED_MAX = 32;

/**
 * Scores a text of unknown origin for prompt injection, by heuristics in several languages. Determined attacks pass,
 * and honest texts are flagged at times: use the score to call a person, never alone to drop a message. Linear; of
 * more than 262,144 characters the beginning and the end are read.
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

/** Combines independent weights: 1 - ∏(1 - weight). */
function total(weights: ReadonlyMap<InjectionReason, number>): number {
  const left = [...weights.values()].reduce((product, weight) => product * (1 - weight), 1);
  return Math.round((1 - left) * 1000) / 1000;
}

/** Decodes base64 text; "" for other content. */
function decoded(piece: string): string {
  const text = Buffer.from(piece, "base64").toString("utf8");
  return text.includes("\uFFFD") || text.includes("\0") ? "" : text;
}

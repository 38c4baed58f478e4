import { codeOfName, isCurrency } from "./currency.ts";
import type { Fit } from "./fit.ts";
import { wordsOf } from "./match-words.ts";
import { unitOf, unitOfName } from "./units.ts";

/** Counting words for things of any kind. */
const COUNT_WORDS = /^(?:pcs?|pieces?|units?|items?|x|ea(?:ch)?|stk|stue?ck|count|times)$/;

/** Names of members that count things. */
const COUNTS = /^(?:qty|quantit\w*|counts?|numbers?|no|pieces?|items?|units?|amount|times|total|n)$/;

/**
 * Returns the unit that a contract states: in `x-unit`, the member's name, title or description. Undefined for none,
 * or several.
 */
export function declaredUnit(fit: Fit): string | undefined {
  const unit = fit.schema["x-unit"];
  if (typeof unit === "string") return unit;
  return unitOfName(fit.name) ?? unitOfText(statedBy(fit));
}

/** Title and description. */
function statedBy({ schema }: Fit): string {
  return [schema["title"], schema["description"]].filter((one) => typeof one === "string").join(". ");
}

/** The only unit that a text names: `Duration in minutes`, `weight (kg)`, `degrees Celsius`, `Total, EUR`. */
function unitOfText(text: string): string | undefined {
  if (text === "" || text.length > 400) return undefined;
  const currency = codeOfName(text);
  if (currency !== undefined) return currency;
  const found = [
    ...text.matchAll(
      /(?:\b(?:in|as|of|unit:?)\s+(?:degrees?\s+)?|\bdegrees?\s+|[([,]\s*(?!(?:in|as|of)\s))(?=([°\p{L}%\p{Sc}]{1,14})(?:$|[\s.,;)\]]))/giu,
    ),
  ]
    .map(([, word = ""]) => word)
    .filter((word) => unitOf(word) !== undefined || (isCurrency(word) && word === word.toUpperCase()));
  return new Set(found.map((word) => unitOf(word) ?? word)).size === 1 ? found[0] : undefined;
}

/**
 * Returns true when the word after a number repeats what the member counts: `3 days` in `days`, `4 guests`, `4 pcs`.
 */
export function isCounted(fit: Fit, word: string): boolean {
  const [noun, ...others] = wordsOf(word);
  if (noun === undefined || others.length > 0) return false;
  const names = wordsOf(fit.name);
  if (/^stars?$/.test(noun)) return names.some((name) => /^(?:ratings?|stars?|score)$/.test(name));
  if (COUNT_WORDS.test(noun)) return names.some((name) => COUNTS.test(name));
  if (unitOf(noun) !== undefined && names.length !== 1) return false;
  return (
    [...names, ...wordsOf(statedBy(fit))].some((one) => singular(one) === singular(noun)) && noun.length > 2
  );
}

function singular(word: string): string {
  return word.replace(/ies$/, "y").replace(/(?<=[^s])s$/, "");
}

/** The top of a scale that a contract states: in `x-scale`, in words, or by bounds that are those of a scale. */
export function declaredScale(fit: Fit): number | undefined {
  const { schema } = fit;
  const scale = schema["x-scale"];
  if (typeof scale === "number") return scale;
  const { minimum, maximum } = schema;
  const isBounded = (minimum === 0 || minimum === 1) && typeof maximum === "number";
  const top = isBounded ? maximum : Number(SCALE_IN_WORDS.exec(statedBy(fit))?.[1]);
  return SCALES.includes(top) ? top : undefined;
}

/** `1 to 5`, `0-100`, `out of 10`. */
const SCALE_IN_WORDS = /(?:\b[01]\s?(?:to|and|through|[-–—]|\.\.+)\s?|\bout of )(\d{1,3})\b(?![.,]?\d)/i;

const SCALES: readonly number[] = [1, 3, 4, 5, 6, 7, 10, 20, 100];

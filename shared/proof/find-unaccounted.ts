import { evidenceOf, plainText } from "#shared/repair";
import { leavesOf, scalarText } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { TAKEN, wordsIn } from "./account.ts";
import type { Clause } from "./account.ts";
import { isValueOf } from "./derive.ts";
import type { Compared, Told } from "./diff-values.ts";
import type { Objection } from "./proof.ts";

/**
 * Finds sentences and lines of a text that are in no value of the repair and no frame. Within brackets the words of the
 * text's readings are known: what became of those is asked of the readings.
 */
export function findUnaccounted(
  { input, leaves, readings, places }: Compared,
  { account, isQuoted }: Told,
): Objection[] {
  const { original, repaired, schema: root, procedure, steps = [] } = input;
  // The events of a stream cut names and values in pieces.
  if (procedure === "first_aid" && steps.some(({ step }) => step === "stream_joined")) return [];
  const text = plainText(original.text);
  const chars = text.split("");
  for (const [at, { spans }] of evidenceOf(text, { value: repaired, notes: steps }, root).values.entries())
    for (const { start, end } of spans) {
      const leaf = leaves[at];
      const schema = leaf === undefined ? {} : (places.schemaAt(leaf)?.schema ?? {});
      if (leaf !== undefined && isValueOf(text.slice(start, end), leaf, { schema, root }))
        chars.fill(TAKEN, start, end);
    }
  const { inside, outside } = byBrackets(
    [ESCAPED_BREAK, TAG, MARKER].reduce((rest, mark) => rest.replaceAll(mark, blank), chars.join("")),
  );
  const known = new Set(readings.all.flatMap(wordsOfValue));
  const isStrict = procedure !== "first_aid" || account.isSilent;
  const left = [...account.clausesLeft(outside), ...account.clausesLeft(inside, known)].filter(
    (clause) => isStrict || isProse(clause),
  );
  const isLeft = (one: Clause): boolean =>
    !isQuoted({ ...one, text: text.slice(one.start, one.start + one.text.length) });
  return left.some(isLeft) || (readings.all.length === 0 && account.isGroundless(text))
    ? [{ path: "", code: "unaccounted", message: "the text says more than the repair has values for" }]
    : [];
}

/** Characters that part words and no sentence: not letters, digits, spaces, quotes, nor a value that was taken. */
const NO_WORD = new RegExp(`[^\\p{L}\\p{N}\\p{M}\\p{Extended_Pictographic}${TAKEN} \\t'’\`*]+`, "u");

/**
 * Returns true for words that follow one another, or a value, as in a sentence, and for a line of one word. Other words
 * belong to a notation: `Map(`, `sep=`, `| Key | Value |`.
 */
function isProse({ text, left }: Clause): boolean {
  const words = text.toLowerCase().split(NO_WORD);
  return words.some((piece) => {
    const own = wordsIn(piece).filter((word) => left.includes(word));
    return (
      own.length > 0 &&
      (/\S\s+\S/.test(piece.trim()) || own.length > 1 || /^[^\p{L}]*[\p{L}\p{M}'’]+[.:!?]?$/u.test(text))
    );
  });
}

const ESCAPED_BREAK = /\\+[nrt]/g;
/** A list's mark or number before an item. */
const MARKER = /(?<=^|\n)[ \t]*(?:[-*•+]|\d{1,3}[.)])[ \t]/g;
const TAG = /<[/?]?[\p{L}_][\p{L}\p{N}_:.-]*/gu;

function blank(text: string): string {
  return " ".repeat(text.length);
}

/** A text within and outside of brackets; each with line breaks for the other. */
function byBrackets(text: string): { inside: string; outside: string } {
  let depth = 0;
  const inside: string[] = [];
  const outside: string[] = [];
  for (const char of text.split("")) {
    if (char === "{" || char === "[") depth += 1;
    (depth > 0 ? inside : outside).push(char);
    (depth > 0 ? outside : inside).push(depth > 0 ? TAKEN : "\n");
    if (char === "}" || char === "]") depth = Math.max(0, depth - 1);
  }
  return { inside: inside.join(""), outside: outside.join("") };
}

function wordsOfValue(value: JsonValue): string[] {
  return leavesOf(value).flatMap((leaf) => [...leaf.steps, scalarText(leaf.value)].flatMap(wordsIn));
}

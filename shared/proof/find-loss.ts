import type { JsonSchema } from "#shared/json";
import { isObject, isSameJson, nameOf, propertiesOf, valueAt, leavesOf, scalarText } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { Account, TAKEN, wordsIn } from "./account.ts";
import { isFact } from "./diff-values.ts";
import type { Compared, Told } from "./diff-values.ts";
import { findNeedless } from "./find-added.ts";
import { findCut, findDropped, findShrunk } from "./find-dropped.ts";
import type { Objection, ProofInput } from "./proof.ts";
import { evidenceOf, plainText } from "#shared/repair";
import type { Clause } from "./account.ts";
import { isValueOf } from "./derive.ts";

/** Maximum readings of a damaged text; a more ambiguous text cannot be proved. */
const READINGS_MAX = 20;

/** Kinds of values whose words may stand in the original. */
const OF_TEXT: ReadonlySet<string> = new Set(["unchanged", "original", "coerced", "contract"]);

/** Finds what the original says, and the repair does not; a person may leave out what it says in words. */
export function findLoss(compared: Compared): Objection[] {
  const { input } = compared;
  const told = tell(compared);
  const lost = findLost(compared, told);
  if (input.procedure === "person") return lost.filter(({ code }) => code !== "unaccounted");
  const isText = input.original.value === undefined;
  return [...lost, ...findCut(compared), ...(isText ? findUnaccounted(compared, told) : [])];
}

function tell({ input, leaves, kinds, places, readings, byModel }: Compared): Told {
  const taken = leaves.map((leaf, at) => ({ leaf, kind: kinds[at] ?? "invented" }));
  const silent = new Set(
    taken.filter(
      ({ leaf, kind }) => kind === "contract" && isAbsence(leaf.value, places.schemaAt(leaf)?.schema ?? {}),
    ),
  );
  const given = taken.filter(({ leaf, kind }) => OF_TEXT.has(kind) && isFact(leaf.value));
  const sourced = given.filter((one) => !silent.has(one));
  const account = new Account({
    schema: input.schema,
    values: [...given.map(({ leaf }) => leaf.value), ...(input.words?.values() ?? [])],
    given: sourced.flatMap(({ leaf }) => leaf.steps),
    absent: taken
      .filter((one) => silent.has(one) || !isFact(one.leaf.value))
      .map(({ leaf }) => nameOf(leaf.steps)),
    isSilent: silent.size > 0,
    isGrounded: sourced.length > 0,
  });
  const byQuote = {
    // That something is not there has to be said in words that a rule knows.
    givers: new Set(
      taken.filter((one) => !silent.has(one) && isFact(one.leaf.value)).map(({ leaf }) => leaf.path),
    ),
    // Readers may call words around data a frame where the contract has no place left for them.
    mayFrame: silent.size === 0 && typeof readings.cheapest === "object" && isFull(input),
  };
  return { account, isQuoted: (clause) => byModel.account(clause, byQuote) };
}

/**
 * Finds values that were dropped, shortened or replaced without need: a model's or recipe's repair against every
 * reading of a damaged text, as it may quote injected text; first aid's and a person's against the cheapest.
 */
function findLost(compared: Compared, told: Told): Objection[] {
  const { procedure, repaired } = compared.input;
  const readings = compared.readings.all;
  const mayChoose = procedure === "person" || procedure === "first_aid";
  const isCompared = procedure !== "person" && (readings.length === 1 || !mayChoose);
  const lost = readings
    .slice(0, mayChoose ? 1 : READINGS_MAX)
    .flatMap((original) => [
      ...findDropped(original, compared, { ...told, byName: !mayChoose }),
      ...findShrunk(original, repaired),
      ...(isCompared ? findNeedless(original, compared) : []),
    ]);
  if (mayChoose || readings.length <= READINGS_MAX) return lost;
  return [{ path: "", code: "limit", message: "the text can be read in too many ways" }, ...lost];
}

/** Returns true for an object with every member that its contract declares, and without a list. */
function isFull({ repaired, schema }: ProofInput): boolean {
  return (
    isObject(repaired) &&
    schema["additionalProperties"] === false &&
    Object.keys(propertiesOf(schema)).every((name) => valueAt(repaired, [name]) !== undefined) &&
    !Object.values(repaired).some((one) => Array.isArray(one))
  );
}

/** A value that says that there is nothing, or nothing but what the contract takes for granted. */
function isAbsence(value: JsonValue, schema: JsonSchema): boolean {
  return !isFact(value) || ("default" in schema && isSameJson(value, schema["default"]));
}

/** Finds sentences and lines that are in no value and no frame; within brackets the readings' words are known. */
function findUnaccounted(
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

/** Returns true for words as in a sentence, and for a line of one word; others are a notation: `Map(`, `sep=`. */
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

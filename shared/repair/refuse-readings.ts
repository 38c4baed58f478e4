import type { JsonSchema } from "#shared/json";
import { canonical, has, isObject, leavesOf, propertiesOf } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { namesOf } from "./align/match-names.ts";
import { folded, isSentence } from "./align/match-words.ts";
import type { Treated } from "./choose.ts";
import type { RefusalCode } from "./first-aid-result.ts";
import type { Reading } from "./read/collect-readings.ts";
import { plainText } from "./read/text-forms.ts";

/** Refuses members without their opening brace where the first one, which the contract gives, seems lost with it. */
export function refuseLostBeginning(treated: Treated): Treated {
  const { reading, alignment } = treated;
  const isLost =
    alignment.ok &&
    reading.notes.some(({ step }) => step === "missing_brace") &&
    alignment.notes.some(({ step }) => step === "discriminator_filled");
  return isLost ? refuse(treated, "cut") : treated;
}

/** Takes all values of a text as a list, if all fit, and refuses a list of one beside another that does not. */
export function refusePartialLists(all: readonly Treated[]): readonly Treated[] {
  const hasStep = ({ reading, alignment }: Treated, name: string): boolean =>
    alignment.ok &&
    [...reading.notes, ...alignment.notes].some(({ path, step }) => path === "" && step === name);
  const isWrapped = (one: Treated): boolean => hasStep(one, "wrapped_in_list");
  const hasAll = all.some((one) => hasStep(one, "values_as_list"));
  const isLeft = ({ reading, alignment }: Treated): boolean =>
    !alignment.ok && reading.kind === "part" && reading.tree.kind === "object";
  return all.flatMap((one) => {
    if (!isWrapped(one)) return [one];
    if (hasAll) return [];
    const isBeside = all.some((other) => isLeft(other) && other.reading.start !== one.reading.start);
    return [isBeside ? refuse(one, "mismatch") : one];
  });
}

function refuse({ reading }: Treated, code: RefusalCode): Treated {
  return { reading, alignment: { ok: false, code, path: "" } };
}

/** Refuses prose that would be wrapped into data; a contract that any text satisfies takes it unchanged. */
export function refuseProse(treated: Treated): Treated {
  const { reading, alignment } = treated;
  if (!alignment.ok || reading.tree.kind !== "string") return treated;
  const { text } = reading.tree;
  const isIn = (step: string): boolean => alignment.notes.some((note) => note.step === step);
  const isMarks =
    /[[{(][^\p{L}\p{N}[{(]*(?:[\]})]|$)|^[[{]|[{[]\s{0,99}"/u.test(text) ||
    !/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text);
  const isProse = (isIn("wrapped_in_list") && isSentence(text)) || (isMarks && LISTS.some(isIn));
  return isProse ? refuse(treated, "no_json") : treated;
}

/** Reads `Answer: **42**` and `The answer is 42.`: the value after the label, when nothing else is said. */
export function withoutLabel(reading: Reading): Reading[] {
  if (reading.tree.kind !== "string" || reading.tree.text.length > LABELLED_CHARS_MAX) return [];
  const text = reading.tree.text.trim();
  const said = SAYINGS.map((saying) => saying.exec(text)?.[1]).find((one) => one !== undefined);
  if (said === undefined || isSentence(said)) return [];
  const note = { path: "", step: "label_removed", cost: 2 };
  return [
    {
      ...reading,
      tree: { kind: "string", text: said, bare: true },
      cost: reading.cost + 2,
      notes: [...reading.notes, note],
    },
  ];
}

/** Forms in which an answer is said: behind a label, in a sentence, in a box, before its explanation. */
const SAYINGS: readonly RegExp[] = [
  /^[*_#\s]*(?:the |my |your |its |our )?(?:(?:final|correct|total|short) )?[\p{L}_]{2,20}[*_\s]*(?:\bis\b|[:=])[*_\s]*(\S[^\n]*?)[*_\s]*[.!]?\s*$/iu,
  /^\s*#{1,6}[ \t]+[*_]*(\S[^\n]{0,80}?)[*_]*\s*$/u,
  /^["'“*`]{1,3}([^"'”*`\n]{1,80})["'”*`]{1,3} (?:is|was|would be) (?:the|my) (?:\p{L}{1,12} )?(?:answer|result|label|category|value)\b[^\n"]*$/iu,
  /^[^\\]*\\boxed\{([^{}\n]{1,80})\}[^\\]*$/u,
  /^[*_#\s]*(?:final |correct )?(?:answer|result|output|label|verdict)[*_\s]*[:=][*_\s]*([^\n]{1,80}?)[*_]*\s*\n\s*(?!(?:final |correct )?(?:answer|result|output|label|verdict)\b)\S[\s\S]*$/iu,
];

const LABELLED_CHARS_MAX = 400;

const LISTS: readonly string[] = ["wrapped_in_list", "text_to_list"];

/** Returns true when the text outside of all values has data for the contract, or a sentence that takes one back. */
export function hasDataOutside(
  input: string,
  given: { schema: JsonSchema | undefined; treated: readonly Treated[] },
): boolean {
  const { schema } = given;
  if (given.treated.some(({ reading }) => reading.kind === "whole" || reading.kind === "xml")) return false;
  // The others are lists of those.
  const treated = given.treated.filter(({ reading }) => reading.start !== undefined);
  const spans = treated.map(({ reading }) => reading);
  const [first] = spans;
  if (first === undefined) return false;
  const plain = plainText(input);
  const outside = outsideOf(plain, spans);
  const behind = outside.slice(first.start === 0 ? 0 : 1);
  // The value of a prototype's name is no answer.
  if (outside.some((text) => text.includes("__proto__")) || takesBack(behind, treated)) return true;
  if (schema === undefined) return false;
  const [stated, members] = [namesBy(NAMED_VALUE, outside), namesBy(JSON_MEMBER, outside)];
  const isLacking = (property: string): boolean =>
    treated.some(
      ({ alignment }) => alignment.ok && isObject(alignment.value) && !has(alignment.value, property),
    );
  const own = Object.keys(propertiesOf(schema));
  // A reading that does not fit may be the other part of one that does.
  const others = treated.flatMap(({ reading: { tree }, alignment }) =>
    alignment.ok || tree.kind !== "object" ? [] : tree.entries.map(({ key }) => folded(key)),
  );
  for (const name of others) stated.add(name);
  return (
    own.some((property) => stated.has(folded(property)) && isLacking(property)) ||
    (members.size > 1 && [...namesOf(schema)].filter((name) => members.has(name)).length > 1)
  );
}

/** Returns true when a line outside of what was read gives a declared property that `value` has nowhere. */
export function statesLackingProperty(
  text: string,
  { value, schema, names = [] }: { value: JsonValue; schema: JsonSchema; names?: readonly string[] },
): boolean {
  const own = Object.keys(propertiesOf(schema));
  if (own.length === 0 || !isObject(value) || own.every((property) => has(value, property))) return false;
  const stated = namesBy(NAMED_VALUE, [text]);
  const written = new Set([...names, ...leavesOf(value).flatMap(({ steps }) => steps.map(folded))]);
  return own.some((property) => stated.has(folded(property)) && !written.has(folded(property)));
}

/** `Sorry, the amount should be 42`: a sentence that corrects, with a number or word that the values do not have. */
function takesBack(texts: readonly string[], treated: readonly Treated[]): boolean {
  const values = treated.flatMap(({ alignment }) => (alignment.ok ? [canonical(alignment.value)] : []));
  const known = new Set(values.join(" ").match(STATED)?.map(folded));
  const sentences = texts
    .flatMap((text) => text.split(/[.!?](?=\s|$)|\n/))
    .filter((one) => CORRECTS.test(one));
  return sentences.some((one) => one.match(STATED)?.some((said) => !known.has(folded(said))) === true);
}

const CORRECTS =
  /\b(?:sorry|correction|corrected|actually|wait|oops|mistake|mistaken|wrong|(?:should|must|ought to) (?:have been|be|read|say)|meant|not right)\b/i;

/** Numbers, quoted texts and codes. */
const STATED =
  /(?<![\p{L}\p{N}_])-?\d+(?:[.,]\d+)*(?![\p{L}\p{N}_])|["“`][^"”`\n]{1,80}["”`]|\b\p{Lu}{2,}\b/gu;

/** The names that a pattern finds in texts, folded. */
function namesBy(pattern: RegExp, texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = ""]) => folded(name))));
}

/** A name with a value behind it: after a colon, an arrow, a dash or a tab, in a table, in `The id is 3`. */
const NAMED_VALUE =
  /(?:^|[\n,;|]|[.!?]\s)[ \t]*(?:[-*•][ \t]+)?(?:[Tt]he )?["'*_]{0,3}([\p{L}_][\p{L}\p{N}_ -]{0,60}?)["'*_]{0,3}(?:[ \t]*(?:[:=](?!\/\/)|→|->|\|)|\t| - | is )["'*_]{0,3}[ \t]*(?![Nn]ull\b|NULL\b|[Nn]one\b|nil\b|[Nn]\/[Aa]\b)\S/gu;

/** `"name":` and `\"name\":`. */
const JSON_MEMBER = /["']([^"'\\\n:]{1,60})\\*["']\s{0,9}:/g;

/** The text outside of values. */
function outsideOf(text: string, spans: readonly Reading[]): string[] {
  const texts: string[] = [];
  let from = 0;
  for (const { start = 0, end = 0 } of spans.toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0))) {
    if (start > from || texts.length > 0) texts.push(text.slice(from, start));
    from = Math.max(from, end);
  }
  return [...texts, text.slice(from)];
}

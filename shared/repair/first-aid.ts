import type { JsonSchema } from "#shared/contract";
import { asksForContainer, asSchema, has, isDeclared, isObject } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { alignTree } from "./align/align.ts";
import { isApology } from "./align/apology.ts";
import { folded, wordsOf } from "./align/match-words.ts";
import { boundsOf } from "./bounds.ts";
import type { Bounds } from "./bounds.ts";
import { choose, refused } from "./choose.ts";
import type { Treated } from "./choose.ts";
import type { FirstAidOptions, FirstAidResult } from "./first-aid-result.ts";
import { collectReadings } from "./read/collect-readings.ts";
import type { Reading, Readings } from "./read/collect-readings.ts";
import { readOutlines } from "./read/outline/read-outlines.ts";
import { ReadRefusal } from "./read/reader.ts";
import { fromValue, toValue } from "./read/tree-value.ts";
import type { Tree } from "./read/tree.ts";
import { withoutReasoning } from "./read/without-reasoning.ts";

/**
 * Repairs a malformed or misshapen value without a model: deterministic, in bounded time, and never by
 * guessing.
 *
 * Text is read in every plausible way, each reading is fitted to the schema, every liberty has a cost. The
 * cheapest result is given only if it satisfies the schema and any different result is clearly dearer;
 * otherwise the answer is a refusal. Strictly valid JSON that satisfies the schema comes back unchanged at
 * cost 0. Never throws.
 *
 * @param input - The text of a dead message or model answer; or an already parsed value. A string is always
 * text.
 * @param schema - JSON Schema (2020-12) with our `x-` keywords. Without it only the syntax is mended.
 * @example firstAid("{'total': '12',}", { type: "object", properties: { total: { type: "integer" } } });
 */
export function firstAid(
  input: string | JsonValue,
  schema?: JsonSchema,
  options: FirstAidOptions = {},
): FirstAidResult {
  const bounds = boundsOf(options, schema);
  const result = treat(input, schema, bounds);
  options.onWork?.(bounds.workMax - Math.max(0, bounds.work.left));
  return result;
}

function treat(input: string | JsonValue, schema: JsonSchema | undefined, bounds: Bounds): FirstAidResult {
  if (typeof input === "string" && input.length > bounds.charsMax) return refused("too_large");
  try {
    const { readings, code } =
      typeof input === "string" ? collectReadings(input, bounds) : readingsOf(input, bounds);
    if (schema === undefined) return choose(withoutSchema(readings), { code, bounds });
    const isCut = code === "cut";
    const [texts, values] = [
      readings.filter((one) => one.kind === "text" && !isCut),
      readings.filter((one) => one.kind !== "text" && one.kind !== "cargo"),
    ];
    const fitted = (reading: Reading): Treated => ({
      reading,
      alignment: alignTree(reading.tree, schema, bounds),
    });
    const treated = values.map(fitted);
    // The whole text counts as a string only when nothing inside it fits, because any text would fit "string".
    const isFitting = treated.some(({ alignment }) => alignment.ok);
    const isPartial = isFitting && typeof input === "string" && leavesOut(input, { schema, treated });
    if (isFitting && !isPartial) return choose(treated, { code, bounds });
    const carried = readings.filter((one) => one.kind === "cargo").map(fitted);
    if (carried.some(({ alignment }) => alignment.ok)) return choose(carried, { code, bounds });
    const outline =
      isCut || typeof input !== "string" ? undefined : findOutline(input, { schema, bounds, treated });
    if (isPartial) return outline === undefined ? refused("ambiguous") : choose([outline], { code, bounds });
    const asTexts = texts.map(fitted).map(unlessProse);
    const labelled = asTexts.some(({ alignment }) => alignment.ok)
      ? []
      : texts.flatMap(withoutLabel).map(fitted);
    const all = outline === undefined ? [...treated, ...asTexts, ...labelled] : [outline];
    return choose(all, { code, bounds });
  } catch (error) {
    if (error instanceof ReadRefusal) return refused(error.code);
    throw error;
  }
}

/**
 * Returns true when a text names properties of the contract whose values none of the fitting values contains: `id: 3`
 * and below it `{"k": 1}`.
 */
function leavesOut(
  input: string,
  { schema, treated }: { schema: JsonSchema; treated: readonly Treated[] },
): boolean {
  const spans = treated.map(({ reading }) => reading);
  if (!spans.every(({ kind, start }) => kind === "part" && start !== undefined)) return false;
  const outside = outsideOf(withoutReasoning(input), spans);
  const names = new Set(
    outside.flatMap((text) => [...text.matchAll(NAMED_VALUE)].map(([, name = ""]) => folded(name))),
  );
  if (names.size === 0) return false;
  const declared = Object.keys(asSchema(schema["properties"]) ?? {});
  return declared.some(
    (property) =>
      names.has(folded(property)) &&
      treated.some(
        ({ alignment }) => alignment.ok && isObject(alignment.value) && !has(alignment.value, property),
      ),
  );
}

const NAMED_VALUE =
  /(?:^|[\n,;])[ \t]*(?:[-*][ \t]+)?["'*_]{0,3}([\p{L}_][\p{L}\p{N}_ -]{0,60}?)["'*_]{0,3}[ \t]*[:=](?!\/\/)["'*_]{0,3}[ \t]*\S/gu;

/** The text outside of values. */
function outsideOf(text: string, spans: readonly Reading[]): string[] {
  const sorted = spans
    .flatMap(({ start, end }) => (start === undefined || end === undefined ? [] : [{ start, end }]))
    .toSorted((a, b) => a.start - b.start);
  const texts: string[] = [];
  let from = 0;
  for (const { start, end } of sorted) {
    if (start > from) texts.push(text.slice(from, start));
    from = Math.max(from, end);
  }
  return [...texts, text.slice(from)];
}

/**
 * Refuses prose that would be wrapped into data: an apology in a member, a sentence as a list's only item. A contract
 * that any text satisfies takes it unchanged.
 */
function unlessProse({ reading, alignment }: Treated): Treated {
  if (!alignment.ok || reading.tree.kind !== "string") return { reading, alignment };
  const { text } = reading.tree;
  const isIn = (step: string): boolean => alignment.notes.some((note) => note.step === step);
  const isSentence = /[.!?…。]$/.test(text) || wordsOf(text).length > ITEM_WORDS_MAX;
  const isProse =
    (isIn("wrapped_in_list") && isSentence) ||
    ((isIn("wrapped_in_list") || isIn("wrapper_added")) && isApology(text));
  if (!isProse) return { reading, alignment };
  return { reading, alignment: { ok: false, code: "no_json", path: "", detail: "prose, and no value" } };
}

/** Reads `Answer: **42**` and `The answer is 42.`: the value after the label, when nothing else is said. */
function withoutLabel(reading: Reading): Reading[] {
  if (reading.tree.kind !== "string" || reading.tree.text.length > LABELLED_CHARS_MAX) return [];
  const text = reading.tree.text.trim();
  const said = SAYINGS.map((saying) => saying.exec(text)?.[1]).find((one) => one !== undefined);
  if (said === undefined) return [];
  const note = { path: "", step: "label_removed", cost: 2, detail: "" };
  return [
    {
      ...reading,
      tree: { kind: "string", text: said, bare: true },
      cost: reading.cost + 2,
      notes: [...reading.notes, note],
    },
  ];
}

/** How an answer is said: behind a label, in a sentence, in a box, before its explanation. */
const SAYINGS: readonly RegExp[] = [
  /^[*_#\s]*(?:the |my |your |its |our )?(?:(?:final|correct|total|short) )?[\p{L}_]{2,20}[*_\s]*(?:\bis\b|[:=])[*_\s]*(\S[^\n]*?)[*_\s]*[.!]?\s*$/iu,
  /^["'“*`]{1,3}([^"'”*`\n]{1,80})["'”*`]{1,3} (?:is|was|would be) (?:the|my) (?:[\p{L}]{1,12} )?(?:answer|result|label|category|value)\b[^\n"]*$/iu,
  /^(?:[^\\]*)\\boxed\{([^{}\n]{1,80})\}[^\\]*$/u,
  /^[*_#\s]*(?:final |correct )?(?:answer|result|output|label|verdict)[*_\s]*[:=][*_\s]*([^\n]{1,80}?)[*_]*\s*\n\s*(?!(?:final |correct )?(?:answer|result|output|label|verdict)\b)\S[\s\S]*$/iu,
];

const LABELLED_CHARS_MAX = 400;

/** Maximum words of a list item that is the whole text. */
const ITEM_WORDS_MAX = 5;

/**
 * Returns the first outline (YAML, list, table) that fits, when the text contains no usable JSON. All its names must
 * be the contract's, because prose resembles names and values.
 */
function findOutline(
  input: string,
  { schema, bounds, treated }: { schema: JsonSchema; bounds: Bounds; treated: readonly Treated[] },
): Treated | undefined {
  const isTaken = treated.some(({ alignment }) => !alignment.ok && alignment.code === "ambiguous");
  if (!asksForContainer(schema)) return undefined;
  for (const { tree, cost, step } of readOutlines(withoutReasoning(input), bounds)) {
    // A table is the whole text: what looks like values in it are its cells.
    if (isTaken && step !== "table" && step !== "separated_values") continue;
    const alignment = alignTree(tree, schema, bounds);
    if (
      !alignment.ok ||
      alignment.unused.length > 0 ||
      !isDeclared(alignment.value, { schema, root: schema })
    )
      continue;
    if (isSentenceTree(tree)) continue;
    const notes = [{ path: "", step, cost, detail: "" }];
    return { reading: { tree, cost, notes, kind: "part", label: "none" }, alignment };
  }
  return undefined;
}

/** `I cannot do it because:` above a list is a sentence, not a name. */
function isSentenceTree(tree: Tree): boolean {
  if (tree.kind !== "object" || tree.entries.length !== 1) return false;
  return wordsOf(tree.entries[0]?.key ?? "").length > 3;
}

function readingsOf(value: JsonValue, bounds: Bounds): Readings {
  const tree = fromValue(value, bounds.depthMax);
  return { readings: [{ tree, cost: 0, notes: [], kind: "whole", label: "none" }], code: "no_json" };
}

/** Without a schema several values are a list, because nothing tells which one is meant. */
function withoutSchema(readings: readonly Reading[]): Treated[] {
  const list = readings.find((reading) => reading.kind === "list");
  const single = readings.filter(
    (reading) =>
      reading.kind !== "text" &&
      reading.kind !== "xml" &&
      reading.kind !== "cargo" &&
      !reading.notes.some((note) => note.step === "values_as_list"),
  );
  return (list === undefined ? single : [list]).map((reading) => ({ reading, alignment: asIs(reading) }));
}

function asIs(reading: Reading): Treated["alignment"] {
  try {
    return { ok: true, value: toValue(reading.tree), notes: [], unused: [] };
  } catch (error) {
    if (error instanceof ReadRefusal)
      return { ok: false, code: error.code, path: "", detail: "cannot be read in one way" };
    throw error;
  }
}

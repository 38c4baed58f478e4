import { stepsOf } from "#shared/json";
import { folded, namesOf, numberKey } from "#shared/repair";
import type { Evidence } from "#shared/repair";
import {
  below,
  canonical,
  isObject,
  leavesOf,
  nameOf,
  Places,
  propertiesOf,
  scalarText,
  validateWithin,
  valueAt,
} from "#shared/schema";
import type { JsonValue, Leaf, SchemaAt } from "#shared/schema";
import { clausesIn } from "./account.ts";
import { isValueOf } from "./derive.ts";
import { isFact } from "./diff-values.ts";
import type { Compared, Told } from "./diff-values.ts";
import type { Objection } from "./proof.ts";

/** A repair beside one reading of the original, with the contract at the reading's paths. */
type Read = Compared & { readonly at: Places };

/** Finds values of a reading that the repair lacks. @param byName - Also values at undeclared paths. */
export function findDropped(
  reading: JsonValue,
  compared: Compared,
  { account, isQuoted, byName }: Told & { readonly byName: boolean },
): Objection[] {
  const { input, leaves } = compared;
  // Fast path: most values kept their path.
  const moved = leavesOf(reading).filter(
    (leaf) => isFact(leaf.value) && valueAt(input.repaired, leaf.steps) !== leaf.value,
  );
  if (moved.length === 0) return [];
  const read = { ...compared, at: new Places(reading, input.schema) };
  const kept = formsIn(leaves);
  return moved
    .filter((leaf) => !formsOf(leaf.value).some((form) => kept.has(form)))
    .flatMap((leaf): Objection[] => {
      const { path } = leaf;
      const message = "the contract has a place for this value, and the repair lost it";
      if (isMissed(leaf, read) || isUnfilled(leaf, read) || (byName && isReplaced(leaf, read)))
        return [{ path, code: "dropped", message }];
      const isOutside = read.at.schemaAt(leaf) === undefined;
      if ((isOutside && !account.isSilent) || isCoerced(leaf, read)) return [];
      const left = account.dataLeft(scalarText(leaf.value), nameOf(leaf.steps));
      return left.every(isQuoted)
        ? []
        : [{ path, code: "unaccounted", message: "this value says more than the repair has values for" }];
    });
}

/** A value under another spelling of a declared name has its place there, and nothing else fills that. */
function isUnfilled(leaf: Leaf, { at, leaves, input }: Read): boolean {
  const name = folded(nameOf(leaf.steps));
  return (
    namesOf(input.schema).has(name) &&
    at.schemaAt(leaf) === undefined &&
    !leaves.some(({ steps }) => steps.some((step) => folded(step) === name))
  );
}

/** Returns true when first aid makes a value of the repair, of the same name, from this one. */
function isCoerced(leaf: Leaf, { leaves, places, input }: Read): boolean {
  const name = folded(nameOf(leaf.steps));
  return leaves
    .filter((one) => one.path === leaf.path || folded(nameOf(one.steps)) === name)
    .some((one) => {
      const schema = places.schemaAt(one)?.schema;
      return schema !== undefined && isValueOf(leaf.value, one, { schema, root: input.schema });
    });
}

/** A value that its path allows must survive; one that it does not allow may be replaced, not removed. */
function isMissed(leaf: Leaf, { at, input }: Read): boolean {
  if (at.schemaAt(leaf) === undefined) return false;
  return isAllowed(leaf.value, at.schemaAt(leaf), input) || valueAt(input.repaired, leaf.steps) === undefined;
}

/** Detects a replaced value in an undeclared wrapper, as when injected text is taken for the answer. */
function isReplaced(leaf: Leaf, { at, leaves, places, input }: Read): boolean {
  if (at.schemaAt(leaf) !== undefined) return false;
  const name = folded(nameOf(leaf.steps));
  return leaves.some(
    (one) => folded(nameOf(one.steps)) === name && isAllowed(leaf.value, places.schemaAt(one), input),
  );
}

function isAllowed(value: JsonValue, at: SchemaAt | undefined, { schema }: Compared["input"]): boolean {
  return (
    at !== undefined &&
    validateWithin(value, at.schema, { document: schema, issuesMax: 1 }).faults.length === 0
  );
}

/** Spellings of all values and names of a repair: a list of names and values may have become members. */
function formsIn(leaves: readonly Leaf[]): ReadonlySet<string> {
  const names = new Set(leaves.flatMap(({ steps }) => steps));
  return new Set([...leaves.map(({ value }) => value), ...names].flatMap(formsOf));
}

/** Spellings of a value after a coercion. */
function formsOf(value: JsonValue): string[] {
  const text = scalarText(value);
  const number =
    typeof value === "boolean" ? undefined : numberKey(text.replaceAll(/(?<=\d),(?=\d{3})/g, ""));
  return [canonical(value), `word ${folded(text)}`, ...(number === undefined ? [] : [number])];
}

/** Finds lists with fewer items than before. */
export function findShrunk(original: JsonValue, repaired: JsonValue | undefined, path = ""): Objection[] {
  if (Array.isArray(original) && Array.isArray(repaired)) {
    const shorter = repaired.length < original.length;
    const inner = original.flatMap((item, index) => findShrunk(item, repaired[index], below(path, index)));
    return shorter
      ? [{ path, code: "shrunk", message: "the list has fewer items than the original" }]
      : inner;
  }
  if (!isObject(original) || !isObject(repaired)) return [];
  return Object.entries(original).flatMap(([key, value]) =>
    findShrunk(value, valueAt(repaired, [key]), below(path, key)),
  );
}

/** Steps of a reading that close what a text leaves open. */
const CLOSES = /^(?:cut|missing_closer|closed_early)/;

/**
 * Objects to a text that ends inside a list, or inside an object that may have more members: an answer that stopped
 * there has lost them. An object is complete when it has every member that a closed contract declares.
 */
export function findCut({ input, readings, before }: Compared): Objection[] {
  const { original, ending } = input;
  const { text } = original;
  const { cheapest, steps: closed } = readings;
  if (ending === "whole") return [];
  const cut = (path: string): Objection[] => [
    { path, code: "cut", message: "the text ends before this does, so more of it may be lost" },
  ];
  if (ending === "cut" || (cheapest === undefined && isCutProse(text))) return cut("");
  if (cheapest === undefined || !closed.some((step) => CLOSES.test(step))) return [];
  if (closed.some((step) => step.startsWith("cut_"))) return cut("");
  let [value, path, steps]: [JsonValue, string, readonly string[]] = [cheapest, "", []];
  for (const opener of openAtEnd(text)) {
    const schema = before.schemaAt({ path, steps })?.schema ?? {};
    const isClosed = opener === "{" && schema["additionalProperties"] === false;
    if (
      !isClosed ||
      !isObject(value) ||
      Object.keys(propertiesOf(schema)).some((name) => valueAt(value, [name]) === undefined)
    )
      return cut(path);
    const last: string = Object.keys(value).at(-1) ?? "";
    [value, path, steps] = [valueAt(value, [last]) ?? null, below(path, last), [...steps, last]];
  }
  return [];
}

/** A text of sentences whose last one lacks its mark. */
function isCutProse(text: string): boolean {
  const last = clausesIn(text).at(-1)?.trim() ?? "";
  return (
    /[.!?。！？؟।](?=\s|[^\s\p{L}\p{N}]|$)/u.test(text) &&
    text.trimEnd().endsWith(last) &&
    /\S\s+\S+\s+\S/.test(last)
  );
}

/** The brackets that a text leaves open at its end, outermost first. */
function openAtEnd(text: string): string[] {
  const body = text.replace(/\s*(?:```|~~~)?\s*$/, "");
  const outside = body.replaceAll(/"(?:\\.|[^"\\])*"/gs, '""');
  const open: string[] = [];
  for (const mark of outside.match(/[[\]{}]/g) ?? []) {
    if (mark === "{" || mark === "[") open.push(mark);
    else {
      const own = open.lastIndexOf(mark === "}" ? "{" : "[");
      if (own !== -1) open.length = own;
    }
  }
  return open;
}

/**
 * Finds data of the text that fits a declared field and is in no value of the repair: a field that the repair has not,
 * or another value for a field in the midst of the answer. Drafts and tool names around the answer do not count.
 */
export function findLeftOut({ input, leaves }: Compared, evidence: Evidence): Objection[] {
  const { original, steps = [] } = input;
  const { text } = original;
  // The events of a stream cut names and values in pieces.
  if (steps.some(({ step }) => step === "stream_joined")) return [];
  const spans = evidence.values.flatMap((value) => value.spans);
  const [start, end] = [Math.min(...spans.map((one) => one.start)), Math.max(...spans.map((one) => one.end))];
  const kept = formsIn(leaves);
  const amongWords = steps.flatMap(({ step, path }) =>
    step === "text_around_removed" && path !== "" ? [nameOf(stepsOf(path))] : [],
  );
  return (
    evidence.unused
      // Words around the value of a field have its name before them.
      .filter(({ name = "" }) => !amongWords.includes(name))
      .filter(
        (one) =>
          one.reason === "left_out" || (one.reason === "another_value" && one.start > start && one.end < end),
      )
      .map((one) => ({ ...one, piece: text.slice(one.start, one.end) }))
      .filter(({ piece }) => saysSomething(piece) && !formsOf(piece).some((form) => kept.has(form)))
      .map(({ name = "" }) => ({
        path: "",
        code: "dropped" as const,
        message: `the text has data for the field ${name}, and the repair lost it`,
      }))
  );
}

const NO_FACT = /^(?:null|none|nil|undefined|n\/a)?$/i;

function saysSomething(piece: string): boolean {
  return /[\p{L}\p{N}]/u.test(piece) && !NO_FACT.test(piece.replaceAll(/[\s\p{Cf}]+/gu, ""));
}

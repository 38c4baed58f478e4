import type { JsonSchema } from "#shared/json";
import { canonical, fromBoolean, schemaFault, asksForContainer, isDeclared, isObject } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { alignTree } from "./align/align.ts";
import { costOf } from "./align/aligner.ts";
import { boundsOf, DEPTH_MAX } from "./bounds.ts";
import type { Bounds } from "./bounds.ts";
import { choose, refused, undecided } from "./choose.ts";
import type { Treated } from "./choose.ts";
import type { FirstAidOptions, FirstAidResult, RefusalCode } from "./first-aid-result.ts";
import { collectReadings } from "./read/collect-readings.ts";
import type { Reading } from "./read/collect-readings.ts";
import { coresOf } from "./read/frames.ts";
import { ReadRefusal } from "./read/reader.ts";
import { fromValue, plainValue } from "./read/tree-value.ts";
import {
  hasDataOutside,
  refuseLostBeginning,
  refusePartialLists,
  refuseProse,
  statesLackingProperty,
  withoutLabel,
} from "./refuse-readings.ts";
import type { Fitted } from "./align/aligner.ts";
import { namesIn } from "./align/find-payload.ts";
import { isSentence, wordsOf } from "./align/match-words.ts";
import { readOutlines } from "./read/outline/read-outlines.ts";
import { plainText } from "./read/text-forms.ts";
import { onlyEntry } from "./read/tree.ts";
import type { Tree } from "./read/tree.ts";

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
 * @param given - JSON Schema (2020-12) with our `x-` keywords. Without it only the syntax is mended.
 * @example firstAid("{'total': '12',}", { type: "object", properties: { total: { type: "integer" } } });
 */
export function firstAid(
  input: string | JsonValue,
  given?: JsonSchema,
  options: FirstAidOptions = {},
): FirstAidResult {
  const fault = given === undefined ? undefined : schemaFault(given);
  if (fault !== undefined) return refused("bad_schema", { at: fault });
  const schema = given === undefined ? undefined : fromBoolean(given);
  const bounds = boundsOf(options, schema, typeof input === "string" ? input.length : 0);
  return orRefused(() => {
    if (typeof input !== "string") {
      const tree = fromValue(input, DEPTH_MAX);
      return pick([{ tree, cost: 0, notes: [], kind: "whole" }], { schema, bounds, code: "no_json" });
    }
    if (schema === undefined) return treat(input, { schema, bounds });
    return searchFrames(input, {
      read: (text) => orRefused(() => treat(text, { schema, bounds })),
      isPartial: (outside, value) => statesLackingProperty(outside, { value, schema }),
    });
  });
}

function orRefused(read: () => FirstAidResult): FirstAidResult {
  try {
    return read();
  } catch (error) {
    if (error instanceof ReadRefusal) return refused(error.code);
    throw error;
  }
}

/** Contract and bounds that readings are fitted to. */
interface Ground {
  readonly schema: JsonSchema | undefined;
  readonly bounds: Bounds;
  /** Reason for which there is no reading, or one was abandoned. */
  readonly code: RefusalCode;
  readonly text?: string;
}

function treat(text: string, { schema, bounds }: Pick<Ground, "schema" | "bounds">): FirstAidResult {
  if (text.length > bounds.charsMax) return refused("too_large");
  const { readings, code } = collectReadings(text, bounds);
  return pick(readings, { schema, bounds, code, text });
}

function pick(readings: readonly Reading[], { schema, ...more }: Ground): FirstAidResult {
  if (schema !== undefined) return search(readings, { schema, ...more });
  const treated = withoutSchema(readings);
  const isPartial = more.text !== undefined && hasDataOutside(more.text, { schema, treated });
  return isPartial ? refused("ambiguous") : choose(treated, more.code);
}

/** Cost of the assumption that the whole text is a carrier or an outline, besides that of the repairs. */
const ASSUMED_COST = 8;

/** Fits the readings, those that assume least first, until an assumption costs more than the best repair found. */
function search(
  readings: readonly Reading[],
  { schema, bounds, code, text }: Ground & { readonly schema: JsonSchema },
): FirstAidResult {
  const fitted = (reading: Reading, assumed = 0): Treated =>
    refuseLostBeginning({
      reading: { ...reading, cost: reading.cost + assumed },
      alignment: alignTree(reading.tree, schema, bounds),
    });
  const ofKind = (kind: Reading["kind"]): readonly Reading[] => readings.filter((one) => one.kind === kind);
  const values = refusePartialLists(
    readings.filter(({ kind }) => kind !== "text" && kind !== "cargo").map((reading) => fitted(reading)),
  );
  const isPartial =
    costOfBest(values) < Infinity && text !== undefined && hasDataOutside(text, { schema, treated: values });
  const found = isPartial ? [] : [...values];
  if (costOfBest(found) > ASSUMED_COST)
    found.push(...ofKind("cargo").map((reading) => fitted(reading, ASSUMED_COST)));
  const isCut = code === "cut" || values.some(({ alignment }) => !alignment.ok && alignment.code === "cut");
  if (costOfBest(found) > ASSUMED_COST && text !== undefined && !isCut) {
    const outline = findOutline(text, { schema, bounds, treated: values });
    if (outline !== undefined)
      found.push({
        ...outline,
        reading: { ...outline.reading, cost: outline.reading.cost + ASSUMED_COST },
      });
  }
  if (costOfBest(found) < Infinity) return choose(found, code);
  if (isPartial) return refused("ambiguous");
  // Any text fits "string", so the text itself counts only where nothing in it fits.
  const texts = isCut ? [] : ofKind("text");
  const asTexts = texts.map((reading) => refuseProse(fitted(reading)));
  const labelled =
    costOfBest(asTexts) < Infinity ? [] : texts.flatMap(withoutLabel).map((one) => refuseProse(fitted(one)));
  return choose([...values, ...asTexts, ...labelled], code);
}

function costOfBest(treated: readonly Treated[]): number {
  return treated.reduce(
    (best, { reading, alignment }) =>
      alignment.ok ? Math.min(best, reading.cost + costOf(alignment.notes)) : best,
    Infinity,
  );
}

/** Without a schema several values are a list, because nothing tells which one is meant. */
function withoutSchema(readings: readonly Reading[]): Treated[] {
  const list = readings.find((reading) => reading.kind === "list");
  const single = readings.filter(
    ({ kind, notes }) =>
      (kind === "whole" || kind === "part") && !notes.some(({ step }) => step === "values_as_list"),
  );
  return (list === undefined ? single : [list]).map((reading) => ({ reading, alignment: asIs(reading) }));
}

function asIs({ tree }: Reading): Treated["alignment"] {
  const plain = plainValue(tree);
  return plain.ok ? { ...plain, notes: [], unused: [] } : { ...plain, path: "" };
}

/** Refusals that a frame around the answer may explain. */
const FRAMED: ReadonlySet<RefusalCode> = new Set(["no_json", "mismatch", "missing"]);
const FRAME_COST = 3;

/** Reads a text as it stands, else inside its fence, lead-in and remarks. Two different values are a conflict. */
function searchFrames(
  input: string,
  by: {
    readonly read: (text: string) => FirstAidResult;
    readonly isPartial: (outside: string, value: JsonValue) => boolean;
  },
): FirstAidResult {
  const { read, isPartial } = by;
  const direct = read(input);
  // A frame must not hide the name of a prototype.
  if (direct.ok || !FRAMED.has(direct.code) || input.includes("__proto__")) return direct;
  const [, ...cores] = coresOf(input);
  const found = cores.flatMap((text) => {
    const result = read(text);
    return result.ok && !isPartial(input.split(text).join("\n"), result.value) ? [result] : [];
  });
  const [best, ...others] = found.toSorted((a, b) => a.cost - b.cost);
  if (best === undefined) return direct;
  const notes = [{ path: "", step: "text_around_removed", cost: FRAME_COST }, ...best.notes];
  const value = canonical(best.value);
  const rival = others.find((one) => canonical(one.value) !== value);
  return rival === undefined
    ? { ...best, cost: best.cost + FRAME_COST, notes }
    : undecided(best, rival, notes);
}

/** Returns the first outline (YAML, list, table) that fits where there is no JSON; all names must be the contract's. */
function findOutline(
  input: string,
  { schema, bounds, treated }: { schema: JsonSchema; bounds: Bounds; treated: readonly Treated[] },
): Treated | undefined {
  const isTaken = treated.some(({ alignment }) => !alignment.ok && alignment.code === "ambiguous");
  if (!asksForContainer(schema) || input.includes("__proto__")) return undefined;
  for (const core of coresOf(plainText(input)))
    for (const { tree, cost, step } of readOutlines(core, bounds)) {
      // A table is the whole text: what looks like values in it are its cells.
      if (isTaken && step !== "table" && step !== "separated_values") continue;
      const alignment = alignTree(tree, schema, bounds);
      if (!alignment.ok || hasManyUnknownNames(alignment) || !isDeclared(alignment.value, schema)) continue;
      if (isSentenceTree(tree) || isSentenceValue(tree)) continue;
      if (statesLackingProperty(input, { value: alignment.value, schema, names: namesIn(tree) })) continue;
      const notes = [{ path: "", step, cost }];
      return { reading: { tree, cost, notes, kind: "part" }, alignment };
    }
  return undefined;
}

/** Names that the contract does not know are prose, but for one or two among many that it knows. */
function hasManyUnknownNames({ value, unused }: Fitted): boolean {
  const known = isObject(value) ? Object.keys(value).length : 0;
  return unused.length > 0 && (unused.length > 2 || known < 2 * unused.length + 2);
}

/** `I cannot do it because:` above a list is a sentence, not a name. */
function isSentenceTree(tree: Tree): boolean {
  return wordsOf(onlyEntry(tree)?.key ?? "").length > 3;
}

/** `- Sorry, I cannot.` and `Answer: Sorry, I cannot.` give no item and no member. */
function isSentenceValue(tree: Tree): boolean {
  if (tree.kind === "string") return isSentence(tree.text);
  if (tree.kind === "array") return tree.items.length > 0 && tree.items.every(isSentenceValue);
  const only = onlyEntry(tree);
  return only !== undefined && isSentenceValue(only.value);
}

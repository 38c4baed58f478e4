import type { JsonSchema } from "#shared/contract";
import type { JsonValue } from "#shared/schema";
import { alignTree } from "./align/align.ts";
import { unlessProse, withoutLabel } from "./answer-in-words.ts";
import { boundsOf } from "./bounds.ts";
import type { Bounds } from "./bounds.ts";
import { choose, refused } from "./choose.ts";
import type { Treated } from "./choose.ts";
import { findOutline } from "./find-outline.ts";
import type { FirstAidOptions, FirstAidResult } from "./first-aid-result.ts";
import { leavesOut } from "./leaves-out.ts";
import { collectReadings } from "./read/collect-readings.ts";
import type { Reading, Readings } from "./read/collect-readings.ts";
import { ReadRefusal } from "./read/reader.ts";
import { fromValue, toValue } from "./read/tree-value.ts";
import { searchFrames } from "./search-frames.ts";

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
  const result =
    typeof input === "string" && schema !== undefined
      ? searchFrames(input, (text) => treat(text, schema, bounds))
      : treat(input, schema, bounds);
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

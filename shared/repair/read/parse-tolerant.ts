import { canonical } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { boundsOf } from "../bounds.ts";
import type { FirstAidOptions, Note } from "../first-aid-result.ts";
import { collectReadings } from "./collect-readings.ts";
import type { Reading } from "./collect-readings.ts";
import { readOutlines } from "./outline/read-outlines.ts";
import { ReadRefusal } from "./reader.ts";
import { plainText } from "./text-forms.ts";
import { toValue } from "./tree-value.ts";

export interface Candidate {
  readonly value: JsonValue;
  readonly cost: number;
  readonly notes: readonly Note[];
}

/** Kinds of readings that need a schema which asks for them. */
const FOR_SCHEMAS: ReadonlySet<Reading["kind"]> = new Set(["text", "xml", "cargo"]);

/** Kinds of readings that are values in JSON's notation. */
const OF_JSON: ReadonlySet<Reading["kind"]> = new Set(["whole", "part", "list"]);

/**
 * Returns every reading of a damaged text without a schema, cheapest first. Strictly valid JSON has exactly one
 * reading at cost 0. Empty when nothing could be read within the limits. Never throws.
 */
export function parseTolerant(text: string, options: FirstAidOptions = {}): Candidate[] {
  const bounds = boundsOf(options, undefined);
  if (text.length > bounds.charsMax) return [];
  try {
    const { readings } = collectReadings(text, bounds);
    const candidates = readings.filter(({ kind }) => !FOR_SCHEMAS.has(kind)).flatMap(asCandidate);
    const seen = new Set<string>();
    return candidates
      .toSorted((a, b) => a.cost - b.cost)
      .filter(({ value }) => !seen.has(canonical(value)) && seen.add(canonical(value)));
  } catch (error) {
    if (error instanceof ReadRefusal) return [];
    throw error;
  }
}

/**
 * Returns the values that a text may carry for a schema which asks for them: what a provider's answer holds, tables in
 * JSON, and outlines where it has no JSON. Never throws.
 */
export function parseCarried(text: string, options: FirstAidOptions = {}): JsonValue[] {
  const bounds = boundsOf(options, undefined);
  if (text.length > bounds.charsMax) return [];
  try {
    const { readings } = collectReadings(text, bounds);
    const isJson = readings.some(({ kind, tree }) => OF_JSON.has(kind) && tree.kind !== "string");
    const outlines = (isJson ? [] : readOutlines(plainText(text), bounds)).map(({ tree, cost }): Reading => ({
      tree,
      cost,
      notes: [],
      kind: "cargo",
    }));
    return [...readings.filter(({ kind }) => kind === "cargo"), ...outlines]
      .flatMap(asCandidate)
      .map(({ value }) => value);
  } catch (error) {
    if (error instanceof ReadRefusal) return [];
    throw error;
  }
}

function asCandidate(reading: Reading): Candidate[] {
  try {
    return [{ value: toValue(reading.tree), cost: reading.cost, notes: reading.notes }];
  } catch (error) {
    if (error instanceof ReadRefusal) return [];
    throw error;
  }
}

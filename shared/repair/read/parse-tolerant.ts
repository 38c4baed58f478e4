import { canonical } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { boundsOf } from "../bounds.ts";
import type { Bounds } from "../bounds.ts";
import type { Note } from "../first-aid-result.ts";
import { collectReadings } from "./collect-readings.ts";
import type { Reading } from "./collect-readings.ts";
import { readOutlines } from "./outline/read-outlines.ts";
import { ReadRefusal } from "./reader.ts";
import { plainText } from "./text-forms.ts";
import { plainValue } from "./tree-value.ts";

export interface Candidate {
  readonly value: JsonValue;
  readonly cost: number;
  readonly notes: readonly Note[];
}

/** Kinds of readings that are values in JSON's notation; the others need a schema which asks for them. */
const OF_JSON: ReadonlySet<Reading["kind"]> = new Set(["whole", "part", "list"]);

/** Returns every reading of a text without schema, cheapest first; one of cost 0 if valid. Never throws. */
export function parseTolerant(text: string): Candidate[] {
  const seen = new Set<string>();
  return valuesIn(text, (readings) => readings.filter(({ kind }) => OF_JSON.has(kind)))
    .toSorted((a, b) => a.cost - b.cost)
    .filter(({ value }) => !seen.has(canonical(value)) && seen.add(canonical(value)));
}

/** Returns the values a text may carry for a schema: an answer's, tables in JSON, else outlines. Never throws. */
export function parseCarried(text: string): JsonValue[] {
  return valuesIn(text, (readings, bounds) => {
    const isJson = readings.some(({ kind, tree }) => OF_JSON.has(kind) && tree.kind !== "string");
    const outlines = isJson ? [] : readOutlines(plainText(text), bounds);
    return [
      ...readings.filter(({ kind }) => kind === "cargo"),
      ...outlines.map(({ tree, cost }): Reading => ({ tree, cost, notes: [], kind: "cargo" })),
    ];
  }).map(({ value }) => value);
}

/** The values of the readings that `choose` takes; none where a limit is reached. */
function valuesIn(
  text: string,
  choose: (readings: readonly Reading[], bounds: Bounds) => readonly Reading[],
): Candidate[] {
  const bounds = boundsOf({}, undefined);
  if (text.length > bounds.charsMax) return [];
  try {
    return choose(collectReadings(text, bounds).readings, bounds).flatMap(({ tree, cost, notes }) => {
      const plain = plainValue(tree);
      return plain.ok ? [{ value: plain.value, cost, notes }] : [];
    });
  } catch (error) {
    if (error instanceof ReadRefusal) return [];
    throw error;
  }
}

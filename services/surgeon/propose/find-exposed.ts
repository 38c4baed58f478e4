import type { JsonSchema } from "#shared/json";
import { Concealer, hasSensitive, mapSensitive } from "#shared/masking";
import type { Objection } from "#shared/proof";
import { parseTolerant } from "#shared/repair";
import { leavesOf } from "#shared/schema";
import type { JsonValue, Leaf } from "#shared/schema";
import type { RepairContext } from "../cases/case.ts";

const MARK = "[sensitive]";

/** Finds sensitive values that a repair moved to unmarked places; copies from before are no matter of it. */
export function findExposed(
  { schema, value, text }: Pick<RepairContext, "schema" | "value" | "text">,
  repaired: JsonValue,
): Objection[] {
  if (!hasSensitive(schema)) return [];
  const readings = readingsOf({ value, text });
  const { marked, lost } = sortValues(readings, schema);
  const copies = new Concealer(marked, () => MARK);
  const copiesIn = (one: JsonValue): Leaf[] =>
    leavesOf(
      mapSensitive(
        one,
        schema,
        () => "",
        (other) => copies.ofScalar(other),
      ),
    ).filter(
      ({ path, value: copy }) => path.includes(MARK) || (typeof copy === "string" && copy.includes(MARK)),
    );
  const before = new Set(readings.flatMap(copiesIn).map(keyOf));
  const still = new Set(sortValues([repaired], schema).marked);
  // A text that only found its place shows no more than before, as long as what it quotes is masked where it belongs.
  const moved = new Set<JsonValue>(
    marked.every((one) => still.has(one)) ? lost.map((one) => copies.ofScalar(one)) : [],
  );
  const message = "a sensitive value was moved to a place that the contract does not mark as sensitive";
  return copiesIn(repaired)
    .filter((leaf) => !before.has(keyOf(leaf)) && (leaf.value === MARK || !moved.has(leaf.value)))
    .map(({ path }) => ({ path, code: "exposed" as const, message }));
}

/** Returns a message's value, or all that its text may say. */
export function readingsOf({ value, text }: Pick<RepairContext, "value" | "text">): readonly JsonValue[] {
  return value === undefined ? parseTolerant(text).map((one) => one.value) : [value];
}

/** The values at marked places, and those at places that the contract does not know. */
export function sortValues(readings: readonly JsonValue[], schema: JsonSchema) {
  const marked: (string | number)[] = [];
  const lost: (string | number)[] = [];
  for (const reading of readings) {
    mapSensitive(reading, schema, (one, isLost) => {
      (isLost ? lost : marked).push(one);
      return one;
    });
  }
  return { marked, lost };
}

export function keyOf({ path, value }: Leaf): string {
  return JSON.stringify([path, value]);
}

import type { JsonSchema } from "#shared/json";
import { mapSensitive } from "#shared/masking";
import { leavesOf, Places, validate } from "#shared/schema";
import type { JsonValue, Leaf } from "#shared/schema";

const PLACEHOLDER = /\[\[sensitive-\d+\]\]/;

interface PlaceholderPlaces {
  readonly schema: JsonSchema;
  /** Readings of the message, with placeholders. */
  readonly before: readonly JsonValue[];
  /** Placeholders of values that stand at undeclared paths alone: whether they are sensitive is unknown. */
  readonly lost: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string | number>;
}

/** Returns the placeholders of values that stand nowhere but at paths that the contract does not declare. */
export function lostAmong(
  readings: readonly JsonValue[],
  schema: JsonSchema,
  nameOf: (value: string | number) => string,
): ReadonlySet<string> {
  const lost = new Set<string>();
  const known = new Set<string>();
  for (const reading of readings) {
    mapSensitive(reading, schema, (value, isLost) => {
      (isLost ? lost : known).add(nameOf(value));
      return value;
    });
  }
  return lost.difference(known);
}

/**
 * Returns true if each placeholder of a model's repair stands where viewers do not read it: at a place that the
 * contract marks, or where the message has it. The value of an undeclared path may also go where the contract lists
 * its values or has a pattern for them, and it is such a value.
 */
export function areInPlace(repaired: JsonValue, places: PlaceholderPlaces): boolean {
  const { schema, before } = places;
  const own = new Set(before.flatMap((reading) => shownIn(reading, schema)).map(keyOf));
  const fields = new Places(repaired, schema);
  return shownIn(repaired, schema).every((leaf) => {
    if (own.has(keyOf(leaf))) return true;
    const { value, path } = leaf;
    if (typeof value !== "string" || !places.lost.has(value) || PLACEHOLDER.test(path)) return false;
    const field = fields.schemaAt(leaf)?.schema ?? {};
    const isShaped = ["pattern", "enum", "const"].some((keyword) => keyword in field);
    return isShaped && validate(places.values.get(value) ?? null, field).length === 0;
  });
}

/** The leaves with placeholders that no mask covers. */
function shownIn(value: JsonValue, schema: JsonSchema): Leaf[] {
  return leavesOf(mapSensitive(value, schema, () => "")).filter(
    (leaf) => PLACEHOLDER.test(leaf.path) || (typeof leaf.value === "string" && PLACEHOLDER.test(leaf.value)),
  );
}

function keyOf({ path, value }: Leaf): string {
  return JSON.stringify([path, value]);
}

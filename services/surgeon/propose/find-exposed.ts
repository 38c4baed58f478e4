import { Concealer, hasSensitive, mapSensitive } from "#shared/masking";
import type { Objection } from "#shared/proof";
import { parseTolerant } from "#shared/repair";
import { leavesOf } from "#shared/schema";
import type { JsonValue, Leaf } from "#shared/schema";
import type { RepairContext } from "../cases/repair-context.ts";

const MARK = "[sensitive]";

/**
 * Finds values that a contract marks as sensitive and that a repair moved to a place that it does not mark, where
 * viewers would read them. A copy that stood there before is no matter of the repair.
 */
export function findExposed(
  { schema, value, text }: Pick<RepairContext, "schema" | "value" | "text">,
  repaired: JsonValue,
): Objection[] {
  if (!hasSensitive(schema)) return [];
  const readings = value === undefined ? parseTolerant(text).map((one) => one.value) : [value];
  const marked: (string | number)[] = [];
  for (const reading of readings) {
    mapSensitive(reading, schema, (one, isLost) => {
      if (!isLost) marked.push(one);
      return one;
    });
  }
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
  const message = "a sensitive value was moved to a place that the contract does not mark as sensitive";
  return copiesIn(repaired)
    .filter((leaf) => !before.has(keyOf(leaf)))
    .map(({ path }) => ({ path, code: "exposed" as const, message }));
}

function keyOf({ path, value }: Leaf): string {
  return JSON.stringify([path, value]);
}

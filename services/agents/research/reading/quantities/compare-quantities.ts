import type { CalendarDate } from "./dates.ts";
import type { Measure, Quantity } from "./quantities.ts";

/** Share by which a converted figure may differ: factors and habits of rounding differ with the unit. */
const CONVERTED = 0.01;
const EPSILON = 1e-9;

/** How two quantities relate. `other`: they are of different kinds, and say nothing of each other. */
export type Comparison = "same" | "different" | "other";

/** Compares what two figures say. Conversions of units and rounding are no difference. */
export function compareQuantities(one: Quantity, other: Quantity): Comparison {
  if (one.kind === "date" && other.kind === "date") return compareDates(one.date, other.date);
  if (one.kind === "label" && other.kind === "label") {
    if (one.of !== other.of) return "other";
    return one.value === other.value ? "same" : "different";
  }
  if (one.kind === "measure" && other.kind === "measure") return compareMeasures(one, other);
  return "other";
}

/** The same for texts of different languages, in which what is counted has different names. */
export function compareWithoutNouns(one: Quantity, other: Quantity): Comparison {
  const bare = (quantity: Quantity): Quantity =>
    quantity.kind === "measure" ? { ...quantity, nouns: new Set<string>() } : quantity;
  return compareQuantities(bare(one), bare(other));
}

function compareDates(one: CalendarDate, other: CalendarDate): Comparison {
  const parts = (["year", "month", "day"] as const).filter(
    (part) => one[part] !== null && other[part] !== null,
  );
  if (parts.length === 0) return "other";
  return parts.every((part) => one[part] === other[part]) ? "same" : "different";
}

function compareMeasures(one: Measure, other: Measure): Comparison {
  // What is spent each year is another figure than what is spent once.
  const differ = one.rate === other.rate ? "different" : "other";
  if (one.dimension === other.dimension) {
    if (isEqual(one, other)) return hasOtherNouns(one, other) ? "other" : "same";
    // "More than 25" neither says nor denies 27.
    if (isWithin(one, other) || isWithin(other, one)) return "other";
    return isSameCount(one, other) ? differ : "other";
  }
  // Currencies have no fixed rate: the same amount in another currency is another amount, others cannot be compared.
  const isMoney = one.dimension.startsWith("money:") && other.dimension.startsWith("money:");
  return isMoney && isEqual(one, other) ? "different" : "other";
}

function hasOtherNouns(one: Measure, other: Measure): boolean {
  return one.nouns.size > 0 && other.nouns.size > 0 && one.nouns.isDisjointFrom(other.nouns);
}

/** Whether both count the same, or measure: "31,000 of the visits" does not count visits. */
function isSameCount(one: Measure, other: Measure): boolean {
  const hasNeither = one.nouns.size === 0 && other.nouns.size === 0;
  return one.dimension !== "count" || hasNeither || !one.nouns.isDisjointFrom(other.nouns);
}

/** Whether a figure is on the side of a bound that the bound allows. */
function isWithin({ bound, readings }: Measure, other: Measure): boolean {
  if (bound === null) return false;
  return readings.some((a) =>
    other.readings.some((b) => (bound === "least" ? b.value > a.value : b.value < a.value)),
  );
}

function isEqual(one: Measure, other: Measure): boolean {
  return one.readings.some((a) =>
    other.readings.some((b) => {
      const converted = one.factor === other.factor ? 0 : Math.max(a.value, b.value) * CONVERTED;
      const allowed = Math.max(a.tolerance, b.tolerance, converted) + EPSILON * a.value;
      return Math.abs(a.value - b.value) <= allowed;
    }),
  );
}

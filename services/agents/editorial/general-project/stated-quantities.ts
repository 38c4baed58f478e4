import type { Requirement } from "../requirements.ts";
import type { Quantity } from "../reading/read-quantities.ts";

/** A number of a requirement with its field, and in the base unit of `readQuantities`. */
export interface StatedQuantity extends Quantity {
  readonly field: string;
}

/** Returns every number of a requirement, those of its loads included. */
export function statedQuantities(requirement: Requirement): StatedQuantity[] {
  const loads = requirement.kind === "power_budget" ? requirement.loads : [];
  return [requirement, ...loads].flatMap((part) =>
    Object.entries(part).flatMap(([field, value]): StatedQuantity[] => {
      if (typeof value !== "number") return [];
      const { unit, factor } = unitOf(field);
      return [{ field, unit, value: value * factor }];
    }),
  );
}

function unitOf(field: string): { readonly unit: Quantity["unit"]; readonly factor: number } {
  if (field.endsWith("_volts")) return { unit: "V", factor: 1 };
  if (field.endsWith("milliamp_hours")) return { unit: "Ah", factor: 1e-3 };
  if (field.endsWith("milliamps")) return { unit: "A", factor: 1e-3 };
  if (field.endsWith("_hertz")) return { unit: "Hz", factor: 1 };
  if (field.endsWith("_nanofarads")) return { unit: "F", factor: 1e-9 };
  if (field.endsWith("_percent")) return { unit: "%", factor: 1 };
  return { unit: "h", factor: 1 };
}

/** Returns true where two quantities are the same, but for rounding. */
export function isSameQuantity(a: Quantity, b: Quantity): boolean {
  return (
    a.unit === b.unit && Math.abs(a.value - b.value) <= Math.max(Math.abs(a.value), Math.abs(b.value)) * 1e-6
  );
}

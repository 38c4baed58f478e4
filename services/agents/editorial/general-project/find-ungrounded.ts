import type { Requirement } from "../requirements.ts";
import { readQuantities } from "../reading/read-quantities.ts";

/** Fields with a default of the house: they need no word in the brief. */
const WITH_DEFAULT: ReadonlySet<string> = new Set(["tolerance_percent"]);
const ALWAYS_PERCENT = 100;

/**
 * Names the quantities of a plan that its brief does not hold, in whatever unit: what a model filled in is a
 * question, never a requirement. Numbers are held against the brief's own, brought to the same unit.
 */
export function findUngrounded(requirement: Requirement, brief: string): string[] {
  const held = readQuantities(brief);
  const isHeld = (field: string, value: number): boolean => {
    const unit = unitOf(field);
    return held.some((one) => one.unit === unit.unit && isClose(one.value, value * unit.factor));
  };
  const numbers = numbersOf(requirement);
  return numbers
    .filter(([field, value]) => !isExempt(field, value) && !isHeld(field, value))
    .map(([field]) => field);
}

function isExempt(field: string, value: number): boolean {
  return WITH_DEFAULT.has(field) || (field === "duty_percent" && value === ALWAYS_PERCENT);
}

function unitOf(field: string): { readonly unit: string; readonly factor: number } {
  if (field.endsWith("_volts")) return { unit: "V", factor: 1 };
  if (field.endsWith("milliamp_hours")) return { unit: "Ah", factor: 1e-3 };
  if (field.endsWith("milliamps")) return { unit: "A", factor: 1e-3 };
  if (field.endsWith("_hertz")) return { unit: "Hz", factor: 1 };
  if (field.endsWith("_percent")) return { unit: "%", factor: 1 };
  return { unit: "h", factor: 1 };
}

function numbersOf(requirement: Requirement): [string, number][] {
  const own = Object.entries(requirement).flatMap(([field, value]): [string, number][] =>
    typeof value === "number" ? [[field, value]] : [],
  );
  const loads = requirement.kind === "power_budget" ? requirement.loads : [];
  const ofLoads = loads.flatMap(({ milliamps, duty_percent }): [string, number][] => [
    ["milliamps", milliamps],
    ["duty_percent", duty_percent],
  ]);
  return [...own, ...ofLoads];
}

function isClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(Math.abs(a), Math.abs(b)) * 1e-6;
}

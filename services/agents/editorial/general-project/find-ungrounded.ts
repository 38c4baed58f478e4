import type { Requirement } from "../requirements.ts";
import { readQuantities } from "../reading/read-quantities.ts";
import { isSameQuantity, statedQuantities } from "./stated-quantities.ts";

const ALWAYS_PERCENT = 100;

/**
 * Names the quantities of a plan that its brief does not hold, in whatever unit: what a model filled in is a
 * question, never a requirement. Numbers are held against the brief's own, brought to the same unit.
 */
export function findUngrounded(requirement: Requirement, brief: string): string[] {
  const held = readQuantities(brief);
  return statedQuantities(requirement)
    .filter(({ field, value }) => field !== "duty_percent" || value !== ALWAYS_PERCENT)
    .filter((stated) => !held.some((one) => isSameQuantity(one, stated)))
    .map(({ field }) => field);
}

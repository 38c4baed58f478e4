import type { Issue } from "#shared/errors";

/** A number with a unit of medicines: what a dose cannot do without. A share, such as `mg/dl`, is a laboratory's. */
const DOSE = /\d\s*(?:mg|mcg|µg|ml|i\.?u\.?)(?![\p{L}/])/iu;

/** Returns an issue for a dose in a text that a patient reads. Pure. */
export function findDose(text: string, path: string): Issue[] {
  return DOSE.test(text) ? [{ path, code: "dose", message: "a dose is never named" }] : [];
}

import type { Issue } from "#shared/errors";

/** A number with a unit of medicines: what a dose cannot do without. */
const DOSE = /\d\s*(?:mg|mcg|µg|ml|i\.?u\.?)(?!\p{L})/iu;

/** Returns an issue for a dose in a text that a patient reads. Pure. */
export function findDose(text: string, path: string): Issue[] {
  return DOSE.test(text) ? [{ path, code: "dose", message: "a dose is never named" }] : [];
}

/** Returns an issue where a text is not exactly one question. */
export function findNoQuestion(text: string, path: string): Issue[] {
  const marks = text.match(/[?？؟]/g)?.length ?? 0;
  const isOne = marks === 1 && /[?？؟]\s*$/.test(text);
  return isOne ? [] : [{ path, code: "no_question", message: "it is one question, and ends with its mark" }];
}

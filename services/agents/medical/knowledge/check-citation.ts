import { CitationUngroundedError } from "../errors.ts";
import { flatten } from "./flatten.ts";
import type { GuidelineSection } from "./knowledge-base.ts";

/** Citation of a guideline in a result. */
export interface Citation extends Omit<GuidelineSection, "text"> {
  /** Words of the section, verbatim. */
  readonly sentence: string;
}

/**
 * Returns a citation with document and section, once its words were found there; null for none.
 *
 * @throws {CitationUngroundedError} The section was not shown, or does not have these words.
 */
export function checkCitation(
  claimed: { readonly section_id: string; readonly sentence: string } | null,
  shown: readonly GuidelineSection[],
): Citation | null {
  if (claimed === null) return null;
  const section = shown.find(({ section_id }) => section_id === claimed.section_id);
  const sentence = flatten(claimed.sentence);
  if (section === undefined || !flatten(section.text).includes(sentence)) throw new CitationUngroundedError();
  const { text: _, ...where } = section;
  return { ...where, sentence };
}

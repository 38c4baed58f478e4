import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import type { Specialty } from "../contract-fields.ts";
import type { GuidelineSection } from "../knowledge/knowledge-base.ts";
import { findDose } from "../find-dose.ts";

/** Fewer characters are no sentence, and stand in any text. */
const SENTENCE_CHARACTERS_MIN = 20;

/** The one thing that a specialist asks next, and why. */
export const FollowUpAnswer = contract(
  "specialist.follow-up@2",
  z.object({
    question: z.string().min(10).max(300).meta({ "x-surgeon-writes": true }),
    /** The subject of the question, such as `relation to effort`. */
    asks_about: z.string().min(3).max(80).meta({ "x-surgeon-writes": true }),
    /** Words of the summary that the question goes on from, verbatim. */
    because: sensitive(z.string().min(2).max(300).meta({ "x-locked": true })),
    /** The sentence of a guideline by which this is asked, verbatim; null where none that was shown covers it. */
    citation: z
      .object({
        section_id: z.string().min(1).max(200).meta({ "x-locked": true }),
        sentence: z.string().min(SENTENCE_CHARACTERS_MIN).max(600).meta({ "x-locked": true }),
      })
      .nullable(),
    /** How soon a person of the practice should look. */
    urgency: z.enum(["routine", "soon", "today"]),
  }),
  {
    description: "One follow-up question to a patient; never a diagnosis, a treatment or a dose.",
    check: ({ question, asks_about: about, citation }) => [
      ...findDose(question, "/question"),
      ...findDose(about, "/asks_about"),
      ...findDose(citation?.sentence ?? "", "/citation/sentence"),
    ],
  },
);

/** All that a specialist's prompt holds. */
export interface FollowUpInput {
  readonly specialty: Specialty;
  readonly complaint: string;
  readonly summary: string;
  readonly entities: readonly { readonly kind: string; readonly text: string }[];
  /** Sections of guidelines that bear on the complaint, the best first; none where no guideline covers it. */
  readonly guidelines: readonly Pick<GuidelineSection, "section_id" | "title" | "heading" | "text">[];
}

import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import { findDose } from "../find-dose.ts";

/** The one thing that a specialist asks next, and why. */
export const FollowUpAnswer = contract(
  "specialist.follow-up@3",
  z.object({
    question: z.string().min(10).max(300).meta({ "x-surgeon-writes": true }),
    /** The subject of the question, such as `relation to effort`. */
    asks_about: z.string().min(3).max(80).meta({ "x-surgeon-writes": true }),
    /** Words of the summary that the question goes on from, verbatim. */
    because: sensitive(z.string().min(2).max(300).meta({ "x-locked": true })),
    /** How soon a person of the practice should look. */
    urgency: z.enum(["routine", "soon", "today"]),
  }),
  {
    description: "One follow-up question to a patient; never a diagnosis, a treatment or a dose.",
    check: ({ question, asks_about: about }) => [
      ...findDose(question, "/question"),
      ...findDose(about, "/asks_about"),
    ],
  },
);

import { z } from "zod";
import { agent, readPrompt } from "#shared/runtime";
import { contract, flatten, sensitive } from "#shared/contract";
import { Referral, urgency } from "../contracts.ts";
import type { Specialty } from "../contracts.ts";
import { FollowUpUngroundedError } from "../errors.ts";
import { checkSaid, Judgements, findDose } from "../check-said.ts";
import { standIns } from "../recordings.ts";

export const FollowUpAnswer = contract(
  "specialist.follow-up@3",
  z.object({
    question: z.string().min(10).max(300).meta({ "x-surgeon-writes": true }),
    /** The subject of the question, such as `relation to effort`. */
    asks_about: z.string().min(3).max(80).meta({ "x-surgeon-writes": true }),
    /** Words of the summary that the question goes on from, verbatim. */
    because: sensitive(z.string().min(2).max(300).meta({ "x-locked": true })),
    urgency,
  }),
  {
    description: "One follow-up question to a patient; never a diagnosis, a treatment or a dose.",
    check: ({ question, asks_about: about }) => [
      ...findDose(question, "/question"),
      ...findDose(about, "/asks_about"),
    ],
  },
);

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "follow-up");

/** A specialist: asks one specific follow-up, from the summary alone. */
export const createSpecialist = (specialty: Specialty) =>
  agent(`${specialty}@1`, {
    accepts: Referral,
    guard: { mayCause: [] },
    description: `Asks the follow-up of ${specialty} from a summary.`,
    capabilities: [specialty],
    answers: [FollowUpAnswer, Judgements],
    standIns: { "follow-up": standIns["follow-up"], check: standIns.check },
    needs: {
      "follow-up": { fields: ["/specialty", "/complaint", "/summary", "/entities"] },
      check: { fields: ["/texts"] },
    },
    contextTokensMax: 4000,
    handle: async (referral, ctx) => {
      if (referral.specialty !== specialty) return ctx.reject(`${specialty} takes no ${referral.specialty}`);
      const { visit_id, complaint, packet } = referral;
      const { summary, entities, transcript } = packet;
      const answer = await ctx.model("follow-up", {
        instructions: INSTRUCTIONS,
        input: { specialty, complaint, summary, entities },
        answers: FollowUpAnswer,
      });
      const known = flatten(`${complaint} ${summary}`).toLowerCase();
      if (!known.includes(flatten(answer.because).toLowerCase())) throw new FollowUpUngroundedError();
      await checkSaid(ctx, [answer.question]);
      return ctx.complete({ status: "follow_up", visit_id, specialty, ...answer, summary, transcript });
    },
  });

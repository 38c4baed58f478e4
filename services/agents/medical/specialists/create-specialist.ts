import { agent, readPrompt } from "#shared/runtime";
import { Referral } from "../contracts.ts";
import type { Specialty } from "../contract-fields.ts";
import { FollowUpUngroundedError } from "../errors.ts";
import { FollowUpAnswer } from "./answer.ts";
import { checkSaid, Judgements } from "../check-said.ts";
import { standIns } from "../rehearsal/stand-ins.ts";

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
      if (!stands(answer.because, `${complaint} ${summary}`)) throw new FollowUpUngroundedError();
      await checkSaid(ctx, [answer.question]);
      return ctx.complete({ status: "follow_up", visit_id, specialty, ...answer, summary, transcript });
    },
  });

function stands(words: string, text: string): boolean {
  const flat = (one: string): string => one.replaceAll(/\s+/g, " ").trim().toLowerCase();
  return flat(text).includes(flat(words));
}

import { agent, readPrompt } from "#shared/runtime";
import { Referral } from "../contracts.ts";
import type { Specialty } from "../contract-fields.ts";
import { FollowUpUngroundedError } from "../errors.ts";
import { FollowUpAnswer } from "./answer.ts";
import type { FollowUpInput } from "./answer.ts";
import { askFollowUp } from "../rehearsal/specialists.ts";

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "follow-up");

/** A specialist: asks one specific follow-up, from the summary alone. */
export const createSpecialist = (specialty: Specialty) =>
  agent(`${specialty}@1`, {
    accepts: Referral,
    guard: { mayCause: [] },
    description: `Asks the follow-up of ${specialty} from a summary.`,
    capabilities: [specialty],
    answers: [FollowUpAnswer],
    standIns: { "follow-up": askFollowUp },
    needs: { "follow-up": { fields: ["/specialty", "/complaint", "/summary", "/entities"] } },
    contextTokensMax: 4000,
    handle: async (referral, ctx) => {
      if (referral.specialty !== specialty) return ctx.reject(`${specialty} takes no ${referral.specialty}`);
      const { visit_id, complaint, packet } = referral;
      const input: FollowUpInput = {
        specialty,
        complaint,
        summary: packet.summary,
        entities: packet.entities,
      };
      const answer = await ctx.model("follow-up", {
        instructions: INSTRUCTIONS,
        input,
        answers: FollowUpAnswer,
      });
      if (!stands(answer.because, `${packet.summary} ${complaint}`)) throw new FollowUpUngroundedError();
      const { question, asks_about, because, urgency } = answer;
      return ctx.complete({
        status: "follow_up",
        visit_id,
        specialty,
        question,
        asks_about,
        because,
        urgency,
        summary: packet.summary,
        transcript: packet.transcript,
      });
    },
  });

function stands(words: string, text: string): boolean {
  const flat = (one: string): string => one.replaceAll(/\s+/g, " ").trim().toLowerCase();
  return flat(text).includes(flat(words));
}

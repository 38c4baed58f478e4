import { agent, readPrompt } from "#shared/runtime";
import { Referral } from "../contracts.ts";
import type { Specialty } from "../contract-fields.ts";
import { FollowUpUngroundedError } from "../errors.ts";
import { checkCitation } from "../knowledge/check-citation.ts";
import { flatten } from "../knowledge/flatten.ts";
import type { KnowledgeBase } from "../knowledge/knowledge-base.ts";
import { FollowUpAnswer } from "./answer.ts";
import type { FollowUpInput } from "./answer.ts";
import { checkSaid, Judgements } from "../check-said.ts";
import { standIns } from "../rehearsal/stand-ins.ts";

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "follow-up");

/** Sections of guidelines that a specialist is shown at most. */
const SECTIONS_MAX = 4;

/** A specialist: asks one specific follow-up, from the summary and the guidelines that bear on it. */
export const createSpecialist = (specialty: Specialty, knowledge: KnowledgeBase) =>
  agent(`${specialty}@1`, {
    accepts: Referral,
    guard: { mayCause: [] },
    description: `Asks the follow-up of ${specialty} from a summary.`,
    capabilities: [specialty],
    answers: [FollowUpAnswer, Judgements],
    standIns: { "follow-up": standIns["follow-up"], check: standIns.check },
    needs: {
      "follow-up": { fields: ["/specialty", "/complaint", "/summary", "/entities", "/guidelines"] },
      check: { fields: ["/texts"] },
    },
    contextTokensMax: 4000,
    handle: async (referral, ctx) => {
      if (referral.specialty !== specialty) return ctx.reject(`${specialty} takes no ${referral.specialty}`);
      const { visit_id, complaint, packet } = referral;
      const told = `${complaint} ${packet.summary}`;
      const sections = await ctx.step("guidelines", (signal) =>
        knowledge.search({ text: told, sectionsMax: SECTIONS_MAX }, signal),
      );
      const input: FollowUpInput = {
        specialty,
        complaint,
        summary: packet.summary,
        entities: packet.entities,
        guidelines: sections.map(({ section_id, title, heading, text }) => ({
          section_id,
          title,
          heading,
          text,
        })),
      };
      const answer = await ctx.model("follow-up", {
        instructions: INSTRUCTIONS,
        input,
        answers: FollowUpAnswer,
      });
      if (!stands(answer.because, told)) throw new FollowUpUngroundedError();
      const { question, asks_about, because, urgency } = answer;
      const guideline = checkCitation(answer.citation, sections);
      await checkSaid(ctx, [question, ...(guideline === null ? [] : [guideline.sentence])]);
      return ctx.complete({
        status: "follow_up",
        visit_id,
        specialty,
        question,
        asks_about,
        because,
        urgency,
        /** Null: no guideline of the knowledge base covers this question. */
        guideline,
        summary: packet.summary,
        transcript: packet.transcript,
      });
    },
  });

function stands(words: string, text: string): boolean {
  const flat = (one: string): string => flatten(one).toLowerCase();
  return flat(text).includes(flat(words));
}

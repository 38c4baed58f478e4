import type { StandIn } from "#shared/runtime";
import type { FollowUpInput } from "../specialists/answer.ts";
import { CHECKLISTS } from "./checklists.ts";
import type { Item } from "./checklists.ts";

const BECAUSE_CHARACTERS_MAX = 280;
const LAST: Pick<Item, "about" | "question"> = {
  about: "change over time",
  question: "Has it become more frequent or stronger in the last weeks?",
};
const PRESSING =
  /\b(?:worse|more often|getting stronger|new|since yesterday|schlimmer|häufiger|stärker|neu)\b/i;

/** Asks the first thing of the specialty's list that the summary does not tell, going on from what it does. */
export const askFollowUp: StandIn = ({ specialty, complaint, summary }: FollowUpInput) => {
  const told = `${complaint} ${summary}`;
  const open =
    CHECKLISTS[specialty].find(({ known, where }) => where.test(told) && !known.test(told)) ?? LAST;
  const because = sentenceAbout(summary, complaint);
  return {
    question: open.question,
    asks_about: open.about,
    because,
    urgency: PRESSING.test(told) ? "soon" : "routine",
  };
};

/** The sentence of the summary that has most words of the complaint. */
function sentenceAbout(summary: string, complaint: string): string {
  const wanted = new Set(complaint.toLowerCase().match(/\p{L}{4,}/gu));
  const sentences = summary.split(/(?<=[.!?])\s+/).map((text) => ({
    text,
    score: (text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).filter((word) => wanted.has(word)).length,
  }));
  const best = sentences.toSorted((a, b) => b.score - a.score)[0]?.text ?? summary;
  return best.slice(0, BECAUSE_CHARACTERS_MAX);
}

import type { StandIn } from "#shared/runtime";
import type { Specialty } from "../contract-fields.ts";
import type { FollowUpInput } from "../specialists/answer.ts";

const BECAUSE_CHARACTERS_MAX = 280;

/** One question of a specialist, asked where the summary matches `where` and does not match `known`. */
interface Item {
  readonly about: string;
  readonly where: RegExp;
  readonly known: RegExp;
  readonly question: string;
}

const CHECKLISTS: Readonly<Record<Specialty, readonly Item[]>> = {
  cardiology: [
    {
      about: "spreading of the pain",
      where: /\bchest\b.*\b(?:pain|hurts?|pressure)\b/i,
      known: /\b(?:jaw|arm|neck|shoulder|back)\b/i,
      question: "When it comes, do you feel it anywhere else, such as in the jaw, the back or an arm?",
    },
    {
      about: "fainting",
      where: /\b(?:palpitations?|racing|skips?|herzrasen)\b/i,
      known: /\b(?:faint\w*|dizz\w*|schwindel\w*)\b/i,
      question: "Have you felt faint or dizzy while your heart was beating like that?",
    },
  ],
  neurology: [
    {
      about: "sight and speech before it",
      where: /\b(?:headaches?|migraines?|kopfschmerz\w*)\b/i,
      known: /\b(?:vision|zigzag|aura|blurr\w*|speech)\b/i,
      question: "Do you notice anything with your sight or your speech before it begins?",
    },
  ],
};
const LAST: Pick<Item, "about" | "question"> = {
  about: "change over time",
  question: "Has it become more frequent or stronger in the last weeks?",
};

/** Asks the first thing of the specialty's list that the summary does not tell. */
export const askFollowUp: StandIn = ({ specialty, complaint, summary }: FollowUpInput) => {
  const told = `${complaint} ${summary}`;
  const open = CHECKLISTS[specialty].find(({ known, where }) => where.test(told) && !known.test(told));
  const { question, about } = open ?? LAST;
  const because = complaint.slice(0, BECAUSE_CHARACTERS_MAX);
  return {
    question,
    asks_about: about,
    because,
    urgency: /\b(?:worse|new|stronger)\b/i.test(told) ? "soon" : "routine",
  };
};

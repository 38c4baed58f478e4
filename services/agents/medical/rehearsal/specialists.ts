import type { StandIn } from "#shared/runtime";
import type { Specialty } from "../contract-fields.ts";
import { stemsOf } from "../knowledge/rank-sections.ts";
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
      about: "duration of an attack",
      where: /\b(?:palpitations?|racing|skips?)\b/i,
      known: /\b(?:seconds?|minutes?|hours?)\b/i,
      question: "How long does it last each time, and does it begin and end suddenly or gradually?",
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
    {
      about: "side and place",
      where: /\b(?:headaches?|migraines?|kopfschmerz\w*)\b/i,
      known: /\b(?:left|right|side|behind|links|rechts|seite|hinter)\b/i,
      question: "On which side and in which place is the headache, and does it stay on that side?",
    },
  ],
};
const LAST: Pick<Item, "about" | "question"> = {
  about: "change over time",
  question: "Has it become more frequent or stronger in the last weeks?",
};

/** Words that a sentence shares with a question at least, to be what the question rests on. */
const SHARED_STEMS_MIN = 3;

/** The sentence that shares most words with the question; null where none shares enough. */
function cite(question: string, guidelines: FollowUpInput["guidelines"]) {
  const asked = new Set(stemsOf(question));
  const [best] = guidelines
    .flatMap(({ section_id, text }) =>
      text.split(/(?<=[.!?])\s+/).map((sentence) => ({
        cited: { section_id, sentence },
        shared: new Set(stemsOf(sentence).filter((stem) => asked.has(stem))).size,
      })),
    )
    .filter(({ shared }) => shared >= SHARED_STEMS_MIN)
    .toSorted((a, b) => b.shared - a.shared);
  return best?.cited ?? null;
}

/** Asks the first thing of the specialty's list that the summary does not tell. */
export const askFollowUp: StandIn = ({
  specialty,
  complaint,
  summary,
  entities,
  guidelines,
}: FollowUpInput) => {
  const told = [complaint, summary, ...entities.map(({ text }) => text)].join(" ");
  const open = CHECKLISTS[specialty].find(({ known, where }) => where.test(told) && !known.test(told));
  const { question, about } = open ?? LAST;
  const because = complaint.slice(0, BECAUSE_CHARACTERS_MAX);
  return {
    question,
    asks_about: about,
    because,
    citation: cite(`${about} ${question}`, guidelines),
    urgency: /\b(?:worse|new|stronger)\b/i.test(told) ? "soon" : "routine",
  };
};

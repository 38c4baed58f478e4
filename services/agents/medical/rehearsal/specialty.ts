import type { StandIn } from "#shared/runtime";
import type { Specialty, Turn } from "../contract-fields.ts";

/** Input of the router's model. */
export interface RoutingInput {
  readonly complaint: string;
  readonly said: readonly Turn["text"][];
}

/** Words of each specialty, with what they weigh. */
const WORDS: Readonly<Record<Specialty, readonly (readonly [RegExp, number])[]>> = {
  cardiology: [
    [
      /\b(?:chest|heart\w*|palpitations?|palpitaciones|brust\w*|herz\w*|coraz[oó]n|pecho|c(?:oe|œ)ur|poitrine)\b/gi,
      3,
    ],
    [/\b(?:racing|skips?|skipped|flutter\w*|pounding|pulse|blood pressure|puls|blutdruck)\b/gi, 2],
    [/\b(?:short of breath|out of breath|breathless|swollen ankles|ankles swell|atemnot|knöchel)\b/gi, 2],
  ],
  neurology: [
    [
      /\b(?:headaches?|migraines?|kopfschmerz\w*|migräne|migrañas?|dolor de cabeza|mal de tête)(?![\p{L}])/giu,
      3,
    ],
    [
      /\b(?:numb\w*|tingl\w*|pins and needles|tremor|trembl\w*|shak(?:e|es|ing)|goes to sleep|hormigueo|fourmillements?|taub\w*|kribbel\w*|zitter\w*)\b/gi,
      3,
    ],
    [
      /\b(?:dizz\w*|vertigo|vision|blurr\w*|zigzag|memory|forget\w*|balance|schwindel\w*|sehstörung\w*)\b/gi,
      2,
    ],
  ],
};
/** The complaint counts for more than what was said around it. */
const COMPLAINT_FACTOR = 4;

/** Weighs the words of each specialty; where neither has more, it cannot tell, and a person reads it. */
export const chooseSpecialty: StandIn = ({ complaint, said }: RoutingInput) => {
  const scores = (["cardiology", "neurology"] as const).map((category) => ({
    category,
    score: weigh(complaint, category) * COMPLAINT_FACTOR + weigh(said.join(" "), category),
  }));
  const [best, second] = scores.toSorted((a, b) => b.score - a.score);
  if (best === undefined || best.score === 0 || best.score === second?.score)
    return { decision: { category: "person", parameters: {} } };
  return { decision: { category: best.category, parameters: { specialty: best.category } } };
};

function weigh(text: string, category: Specialty): number {
  return WORDS[category].reduce((sum, [words, weight]) => sum + (text.match(words)?.length ?? 0) * weight, 0);
}

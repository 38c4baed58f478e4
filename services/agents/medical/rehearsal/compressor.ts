import type { StandIn } from "#shared/runtime";

/** What a compression's steps are asked with. */
interface SummaryInput {
  readonly summary_so_far: string;
  readonly turns: readonly { readonly content: string }[];
  readonly tokens_max: number;
}

/** Steps that one compression asks a model in at most. */
const STEPS_MAX = 64;
const CHARACTERS_PER_TOKEN = 4;

/** What a doctor would want to read, with what it weighs; in English and German. */
const TELLING: readonly (readonly [RegExp, number])[] = [
  [
    /\b(?:hurts?|pain\w*|aches?|headaches?|migraines?|numb\w*|tingl\w*|dizz\w*|palpitations?|skips?|racing|breath|faint\w*|swollen|pressure|blurr\w*|vision|tremor|schmerz\w*|herzrasen|herzklopfen|schwindel\w*|taub\w*|kribbel\w*|atemnot|kopfschmerz\w*|flimmern)\b/i,
    4,
  ],
  [
    /\b(?:takes?|tablets?|medicine|allerg\w*|stent|surgery|operation|smok\w*|cigarettes?|alcohol|blood pressure|cholesterol|diabetes|nehme|tabletten|medikament\w*|rauche\w*|blutdruck|operiert)\b/i,
    4,
  ],
  [/\b(?:father|mother|brother|sister|family|vater|mutter|bruder|schwester|familie)\b/i, 2],
  [
    /\b(?:years? old|since|every|after|when I|goes away|jahre alt|bin \d+|seit|jeden|nach dem|wenn ich|dauert)\b/i,
    2,
  ],
  [/\d/, 2],
];
const CHATTER =
  /^\W*(?:hi|hello|hey|thanks?|thank you|ok|okay|great|sure|of course|good (?:morning|afternoon|evening)|lovely|nice|sorry|how are you|hallo|guten (?:morgen|tag|abend)|danke|gern)\b/i;

/** Chooses the sentences that tell most, in their order, each once: what was said before comes first. */
export const summariseVisit: StandIn = ({ summary_so_far: before, turns, tokens_max }: SummaryInput) => {
  const sentences = [before, ...turns.map(({ content }) => content)].flatMap((text) =>
    text
      .split(/(?<=[.!?])\s+/)
      .map((sentence) => sentence.trim())
      .filter((sentence) => sentence !== ""),
  );
  const scored = [...new Set(sentences)].map((sentence, index) => ({
    sentence,
    index,
    score: weigh(sentence),
  }));
  let left = tokens_max * CHARACTERS_PER_TOKEN;
  const kept = scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.index - b.index)
    .filter(({ sentence }) => {
      if (sentence.length + 1 > left) return false;
      left -= sentence.length + 1;
      return true;
    });
  const ordered = kept.toSorted((a, b) => a.index - b.index);
  return { summary: ordered.map(({ sentence }) => sentence).join(" ") };
};

function weigh(sentence: string): number {
  if (CHATTER.test(sentence) || sentence.endsWith("?")) return 0;
  return TELLING.reduce((sum, [words, weight]) => sum + (words.test(sentence) ? weight : 0), 0);
}

/** By the steps that a compression asks in. */
export const summaryStandIns: Readonly<Record<string, StandIn>> = Object.fromEntries(
  Array.from({ length: STEPS_MAX }, (_, index) => [`compress/summary/${index + 1}`, summariseVisit]),
);

import type { StandIn } from "#shared/runtime";
import type { Criterion, StoryFinding } from "../contract-fields.ts";
import { cutQuote } from "./cut-quote.ts";
import { measureStory } from "../reading/measure-story.ts";
import { countWords, readParagraphs, readSentences } from "../reading/paragraphs.ts";
import type { AnalysisInput } from "../story-analysis/answer.ts";

/** What is noticed in one paragraph, by its index. */
interface Notice {
  readonly at: number;
  readonly finding: string;
}

type Analysis = (measures: AnalysisInput["measures"], paragraphs: readonly string[]) => Notice[];

const SLOWER = 1.35;
/** Words of a paragraph from which its own person and tense say something. */
const TELLING_WORDS = 12;
const QUOTE_LENGTH = { min: 2, max: 160 } as const;
const FINDINGS_MAX = 20;

/** One rule for each criterion: counts, and the first paragraph that differs from the rest. */
const ANALYSES: Readonly<Record<Criterion, Analysis>> = {
  pacing: ({ words_per_sentence_by_third: [first = 0, , third = 0] }, paragraphs) =>
    first > 0 && third > first * SLOWER
      ? [
          {
            at: Math.floor((paragraphs.length * 2) / 3),
            finding: `Sentences grow from ${first} to ${third} words: the story slows down towards its end.`,
          },
        ]
      : [],
  dialogue: ({ dialogue_share: share }, paragraphs) => {
    const at = paragraphs.findIndex((one) => /[“"]/.test(one));
    if (share > 0.6) return [{ at, finding: `${Math.round(share * 100)} % is speech, without places.` }];
    const isLate = at > 2 && at > paragraphs.length / 2;
    return isLate
      ? [{ at, finding: `Nobody speaks before paragraph ${at + 1} of ${paragraphs.length}.` }]
      : [];
  },
  point_of_view: ({ first_person_share: share }, paragraphs) => {
    const isFirst = share > 0.5;
    const at = paragraphs.findIndex((one) => {
      const { first_person_share: own, words } = measureStory(one);
      const isOther = isFirst ? own === 0 && /\b(?:he|she) (?:thought|felt|knew)\b/i.test(one) : own > 0.85;
      return words > TELLING_WORDS && isOther;
    });
    const person = isFirst ? "first" : "third";
    return [{ at, finding: `The story is told in the ${person} person; here the point of view changes.` }];
  },
  tense: ({ past_tense_share: share }, paragraphs) => {
    const isPast = share > 0.5;
    const at = paragraphs.findIndex((one) => {
      const { past_tense_share: own, words } = measureStory(one);
      const hasVerb = /\b(?:is|are|has|was|were|had|says|said)\b/.test(one);
      return words > TELLING_WORDS && hasVerb && (isPast ? own < 0.3 : own > 0.7);
    });
    return [
      { at, finding: `The story is told in the ${isPast ? "past" : "present"}; this paragraph is not.` },
    ];
  },
  characters: ({ names }, paragraphs) =>
    names
      .filter(({ first_paragraph: first }) => first > 3 && first > paragraphs.length * 0.7)
      .slice(0, 1)
      .map(({ name, first_paragraph: first, count }) => ({
        at: first - 1,
        finding: `${name} comes in only here and matters ${count} times.`,
      })),
  structure: ({ words }, paragraphs) => {
    const lengths = paragraphs.map(countWords);
    const longest = Math.max(...lengths, 0);
    const share = longest / Math.max(1, words);
    if (share <= 0.4 || paragraphs.length <= 3) return [];
    const finding = `One paragraph holds ${Math.round(share * 100)} % of the story.`;
    return [{ at: lengths.indexOf(longest), finding }];
  },
};

/** Finds what the criteria ask for, each finding with the beginning of the paragraph that it is about. */
export const analyseStory: StandIn = ({ story_content, analysis_criteria, measures }: AnalysisInput) => {
  const paragraphs = readParagraphs(story_content);
  const findings = analysis_criteria.flatMap((criterion) =>
    ANALYSES[criterion](measures, paragraphs).flatMap(({ at, finding }): StoryFinding[] => {
      const quote = quoteOf(paragraphs[at] ?? "");
      return quote.length < QUOTE_LENGTH.min ? [] : [{ criterion, finding, quote, paragraph: at + 1 }];
    }),
  );
  return { findings: findings.slice(0, FINDINGS_MAX) };
};

/** Returns a paragraph's first sentence, or its beginning where the sentence does not stand there verbatim. */
function quoteOf(paragraph: string): string {
  const [sentence = paragraph] = readSentences(paragraph);
  return cutQuote(paragraph.includes(sentence) ? sentence : paragraph, QUOTE_LENGTH.max);
}

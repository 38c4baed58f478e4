import type { StandIn } from "#shared/runtime";
import type { Criterion, StoryFinding } from "../contract-fields.ts";
import { cutQuote } from "./cut-quote.ts";
import { measureStory } from "../reading/measure-story.ts";
import { countWords, readParagraphs, readSentences } from "../reading/paragraphs.ts";
import type { AnalysisInput } from "../story-analysis/answer.ts";

type Analysis = (input: AnalysisInput, paragraphs: readonly string[]) => StoryFinding[];

const SLOWER = 1.35;
const SETTLED = 0.85;
const QUOTE_LENGTH_MIN = 2;
const QUOTE_LENGTH_MAX = 160;

/** Finds by what is counted and by single paragraphs that fall out of the rest. */
export const analyseStory: StandIn = (input: AnalysisInput) => {
  const paragraphs = readParagraphs(input.story_content);
  return {
    findings: input.analysis_criteria.flatMap((one) => ANALYSES[one](input, paragraphs)).slice(0, 20),
  };
};

const ANALYSES: Readonly<Record<Criterion, Analysis>> = {
  pacing: findPacing,
  dialogue: findDialogue,
  point_of_view: findPointOfView,
  tense: findTense,
  characters: findCharacters,
  structure: findStructure,
};

/** Its first sentence, as far as it stands there letter by letter. */
function quoteOf(paragraph: string): string {
  const [sentence = paragraph] = readSentences(paragraph);
  return cutQuote(paragraph.includes(sentence) ? sentence : paragraph, QUOTE_LENGTH_MAX);
}

function at(
  paragraphs: readonly string[],
  index: number,
  rest: Pick<StoryFinding, "criterion" | "finding">,
): StoryFinding[] {
  const quote = quoteOf(paragraphs[index] ?? "");
  return quote.length < QUOTE_LENGTH_MIN ? [] : [{ ...rest, quote, paragraph: index + 1 }];
}

function findPacing({ measures }: AnalysisInput, paragraphs: readonly string[]): StoryFinding[] {
  const [first = 0, second = 0, third = 0] = measures.words_per_sentence_by_third;
  if (third > first * SLOWER && first > 0) {
    const finding = `Sentences grow from ${first} to ${third} words: the story slows down towards its end.`;
    return at(paragraphs, Math.floor((paragraphs.length * 2) / 3), { criterion: "pacing", finding });
  }
  if (second > Math.max(first, third) * SLOWER && first > 0) {
    const finding = `The middle is slow: ${second} words a sentence, against ${first} before and ${third} after.`;
    return at(paragraphs, Math.floor(paragraphs.length / 3), { criterion: "pacing", finding });
  }
  return [];
}

function findDialogue({ measures }: AnalysisInput, paragraphs: readonly string[]): StoryFinding[] {
  const share = Math.round(measures.dialogue_share * 100);
  const isLate = paragraphs.findIndex((one) => /[“"]/.test(one));
  if (measures.dialogue_share > 0.6) {
    const finding = `${share} % is speech: the scenes hang in the air, without places and gestures.`;
    return at(paragraphs, isLate, { criterion: "dialogue", finding });
  }
  if (isLate > 2 && isLate > paragraphs.length / 2) {
    const finding = `Nobody speaks before paragraph ${isLate + 1} of ${paragraphs.length}.`;
    return at(paragraphs, isLate, { criterion: "dialogue", finding });
  }
  return [];
}

/** Paragraphs whose narrator is another than the story's. */
function findPointOfView({ measures }: AnalysisInput, paragraphs: readonly string[]): StoryFinding[] {
  const isFirstPerson = measures.first_person_share > 0.5;
  const odd = paragraphs.findIndex((one) => {
    const { first_person_share: share, words } = measureStory(one);
    return (
      words > 12 &&
      (isFirstPerson
        ? share === 0 && /\b(?:he|she) (?:thought|felt|knew|wondered)\b/i.test(one)
        : share > SETTLED)
    );
  });
  const told = isFirstPerson ? "in the first person" : "in the third person";
  return at(paragraphs, odd, {
    criterion: "point_of_view",
    finding: `The story is told ${told}; here the point of view changes.`,
  });
}

function findTense({ measures }: AnalysisInput, paragraphs: readonly string[]): StoryFinding[] {
  const isPast = measures.past_tense_share > 0.5;
  const odd = paragraphs.findIndex((one) => {
    const { past_tense_share: share, words } = measureStory(one);
    return (
      words > 12 &&
      /\b(?:is|are|has|was|were|had|says|said)\b/.test(one) &&
      (isPast ? share < 0.3 : share > 0.7)
    );
  });
  const finding = `The story is told in the ${isPast ? "past" : "present"}; this paragraph is not.`;
  return at(paragraphs, odd, { criterion: "tense", finding });
}

/** Whoever is met late, and names that begin alike. */
function findCharacters({ measures }: AnalysisInput, paragraphs: readonly string[]): StoryFinding[] {
  const { names } = measures;
  const late = names.find(({ first_paragraph: first }) => first > 3 && first > paragraphs.length * 0.7);
  const twins = names.flatMap(({ name, first_paragraph: first }, index) =>
    names
      .slice(0, index)
      .filter((other) => other.name.slice(0, 2) === name.slice(0, 2))
      .map((other) => ({ name, other: other.name, first })),
  )[0];
  return [
    ...(late === undefined
      ? []
      : at(paragraphs, late.first_paragraph - 1, {
          criterion: "characters",
          finding: `${late.name} comes in only here and matters ${late.count} times.`,
        })),
    ...(twins === undefined
      ? []
      : at(paragraphs, twins.first - 1, {
          criterion: "characters",
          finding: `${twins.name} and ${twins.other} begin alike: readers mix them up.`,
        })),
  ];
}

function findStructure({ measures }: AnalysisInput, paragraphs: readonly string[]): StoryFinding[] {
  const lengths = paragraphs.map(countWords);
  const longest = lengths.indexOf(Math.max(...lengths));
  const share = (lengths[longest] ?? 0) / Math.max(1, measures.words);
  const opening = paragraphs[0] ?? "";
  return [
    ...(share > 0.4 && paragraphs.length > 3
      ? at(paragraphs, longest, {
          criterion: "structure",
          finding: `One paragraph holds ${Math.round(share * 100)} % of the story.`,
        })
      : []),
    ...(/\b(?:woke|wakes|alarm clock|weather|the sun (?:rose|shone)|it was a dark)\b/i.test(quoteOf(opening))
      ? at(paragraphs, 0, {
          criterion: "structure",
          finding: "The story opens with waking up or the weather: it begins before it begins.",
        })
      : []),
  ];
}

import type { ContractOutput } from "#shared/contract";
import { cutQuote } from "./cut-quote.ts";
import { countWords, readParagraphs, readSentences } from "../reading/paragraphs.ts";
import type { EditAnswer } from "../fiction-editing/answer.ts";

type LineEdit = ContractOutput<typeof EditAnswer>["line_edits"][number];

const EDITS_MAX = 25;
const LONG_SENTENCE_WORDS = 38;
const LONG_SENTENCE_SHOWN = 200;

const PATTERNS: readonly (readonly [LineEdit["kind"], RegExp, string])[] = [
  [
    "filter_word",
    /\b(?:she|he|they|I|we) (?:saw|heard|felt|noticed|watched|realized|realised|could (?:see|hear|feel)) (?:that |how )?(?:the |a |an |his |her )?\w+/gi,
    "Show it directly: without the one who perceives it.",
  ],
  [
    "adverb",
    /\b(?:said|asked|whispered|shouted|replied|answered|cried) \w+ly\b/gi,
    "Let the words themselves carry the tone.",
  ],
  [
    "adverb",
    /\b(?:\w+) (?:suddenly|immediately)\b/gi,
    "Drop the adverb: what happens next is sudden by itself.",
  ],
  [
    "cliche",
    /\b(?:at the end of the day|cold as ice|heart (?:skipped a beat|pounded)|white as a sheet|time stood still|dead silence|little did (?:he|she|they|I) know|a chill ran down|in the blink of an eye|pitch black|crystal clear|like a ton of bricks|breath (?:he|she) did(?:n't| not) know)\b/gi,
    "A picture everybody knows shows nothing: find one of this story.",
  ],
  [
    "passive",
    /\b(?:was|were|been|being) \w{3,}(?:ed|en) by (?:the |a |an |his |her )?\w+/gi,
    "Name who acts first.",
  ],
  [
    "weak_word",
    /\b(?:very|really|quite|rather|somewhat|just|basically) \w+/gi,
    "Find the one word that needs no support.",
  ],
];

/** Returns edits of single lines, in the order of the text. */
export function findLineEdits(text: string): LineEdit[] {
  const edits = readParagraphs(text).flatMap((paragraph, index) => {
    const own = [...matchPatterns(paragraph), ...findLong(paragraph)];
    const placed = own.map((edit) => ({ ...edit, place: paragraph.indexOf(edit.quote) }));
    return placed
      .toSorted((a, b) => a.place - b.place)
      .map(({ place: _place, ...edit }) => ({ ...edit, paragraph: index + 1 }));
  });
  return edits.slice(0, EDITS_MAX);
}

type Unplaced = Omit<LineEdit, "paragraph">;

function matchPatterns(paragraph: string): Unplaced[] {
  return PATTERNS.flatMap(([kind, pattern, suggestion]) =>
    [...paragraph.matchAll(pattern)].map(([words]) => ({ kind, quote: cutQuote(words), suggestion })),
  );
}

function findLong(paragraph: string): Unplaced[] {
  return readSentences(paragraph)
    .filter((sentence) => countWords(sentence) > LONG_SENTENCE_WORDS && paragraph.includes(sentence))
    .map((sentence) => ({
      kind: "long_sentence",
      quote: cutQuote(sentence, LONG_SENTENCE_SHOWN),
      suggestion: `Part it: it has ${countWords(sentence)} words.`,
    }));
}

import type { ContractOutput } from "#shared/contract";
import type { StandIn } from "#shared/runtime";
import type { EditAnswer, EditInput, WishInput } from "../fiction-editing/answer.ts";
import { readParagraphs } from "../reading/paragraphs.ts";
import { findTextKind } from "../reading/find-text-kind.ts";
import { cutQuote } from "./cut-quote.ts";

type LineEdit = ContractOutput<typeof EditAnswer>["line_edits"][number];

const EDITS_MAX = 25;

const PATTERNS: readonly (readonly [LineEdit["kind"], RegExp, string])[] = [
  ["filter_word", /\b(?:she|he|they|I|we) (?:saw|heard|felt|noticed) \w+/gi, "Show it directly."],
  ["adverb", /\b(?:said|asked|whispered|answered) \w+ly\b/gi, "Let the words carry the tone."],
  ["passive", /\b(?:was|were) \w{3,}(?:ed|en) by \w+/gi, "Name who acts first."],
  ["weak_word", /\b(?:very|really|quite|rather|just) \w+/gi, "Find the one word that needs no support."],
];

/** Words of somebody who tells of people, in the languages that it knows. */
const TELLS_OF_PEOPLE = new RegExp(
  `["“„«—]|(?<!\\p{L})(?:${[
    "I|he|she|they|we|her|his|er|sie|ich|wir",
    "él|ella|yo|elle|je|nous|lui|lei|io|hij|zij|ik",
  ].join("|")})(?!\\p{L})`,
  "iu",
);
const KNOWN_WORDS =
  /(?<!\p{L})(?:the|and|was|is|der|die|und|war|el|la|que|estaba|le|les|et|était|il|di|era|de|het|een)(?!\p{L})/iu;

/**
 * Takes for a story what tells of people in prose of a language that it knows, and cannot tell of any other text.
 * Chooses the criteria that the author asked for, else two of its own.
 */
export const chooseCriteria: StandIn = ({ asked_for: asked, text }: WishInput) => {
  const form = findTextKind(text);
  const criteria = asked.length > 0 ? [...new Set(asked)] : ["point_of_view", "tense"];
  const because = asked.length > 0 ? "The author asked for these." : "The author asked for none.";
  const isProse = TELLS_OF_PEOPLE.test(text) && KNOWN_WORDS.test(text) && /[.!?…]/.test(text);
  return {
    text_is: form === null ? (isProse ? "story" : "cannot_tell") : "other",
    not_done: [],
    criteria,
    because,
  };
};

/** Edits the lines that match a pattern, and counts what the analysis found. */
export const editStory: StandIn = ({ title, text, measures, findings }: EditInput) => {
  const edits = readParagraphs(text).flatMap((paragraph, index) =>
    PATTERNS.flatMap(([kind, pattern, suggestion]) =>
      [...paragraph.matchAll(pattern)].map(([words]) => {
        return { kind, quote: cutQuote(words), paragraph: index + 1, suggestion };
      }),
    ),
  );
  const letter = `"${title}" has ${measures.words} words. The analysis found ${findings.length} things.`;
  return { line_edits: edits.slice(0, EDITS_MAX), editorial_letter: letter };
};

import type { ContractOutput } from "#shared/contract";
import type { StandIn } from "#shared/runtime";
import type { EditAnswer, EditInput, WishInput } from "../fiction-editing/answer.ts";
import { readParagraphs } from "../reading/paragraphs.ts";
import { cutQuote } from "./cut-quote.ts";

type LineEdit = ContractOutput<typeof EditAnswer>["line_edits"][number];

const EDITS_MAX = 25;

const PATTERNS: readonly (readonly [LineEdit["kind"], RegExp, string])[] = [
  ["filter_word", /\b(?:she|he|they|I|we) (?:saw|heard|felt|noticed) \w+/gi, "Show it directly."],
  ["adverb", /\b(?:said|asked|whispered|answered) \w+ly\b/gi, "Let the words carry the tone."],
  ["passive", /\b(?:was|were) \w{3,}(?:ed|en) by \w+/gi, "Name who acts first."],
  ["weak_word", /\b(?:very|really|quite|rather|just) \w+/gi, "Find the one word that needs no support."],
];

/** Chooses the criteria that the author asked for, else two of its own. */
export const chooseCriteria: StandIn = ({ asked_for: asked }: WishInput) =>
  asked.length > 0
    ? { criteria: [...new Set(asked)], because: "The author asked for these." }
    : { criteria: ["point_of_view", "tense"], because: "The author asked for none." };

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

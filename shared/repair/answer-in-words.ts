import { isApology } from "./align/apology.ts";
import { wordsOf } from "./align/match-words.ts";
import type { Treated } from "./choose.ts";
import type { Reading } from "./read/collect-readings.ts";
import { refuse } from "./refuse-partial-lists.ts";

/**
 * Refuses prose that would be wrapped into data: a sentence, or a damaged structure, as a list's only item. A contract
 * that any text satisfies takes it unchanged.
 */
export function refuseProse(treated: Treated): Treated {
  const { reading, alignment } = treated;
  if (!alignment.ok || reading.tree.kind !== "string") return treated;
  const { text } = reading.tree;
  const isIn = (step: string): boolean => alignment.notes.some((note) => note.step === step);
  const isSentence = /[.!?…。]$/.test(text) || wordsOf(text).length > ITEM_WORDS_MAX;
  const isMarks =
    /[[{(][^\p{L}\p{N}[{(]*(?:[\]})]|$)|^[[{]|[{[]\s{0,99}"/u.test(text) ||
    !/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text);
  const isProse = (isIn("wrapped_in_list") && isSentence) || (isMarks && LISTS.some(isIn));
  return isProse ? refuse(treated, "no_json") : treated;
}

/** Reads `Answer: **42**` and `The answer is 42.`: the value after the label, when nothing else is said. */
export function withoutLabel(reading: Reading): Reading[] {
  if (reading.tree.kind !== "string" || reading.tree.text.length > LABELLED_CHARS_MAX) return [];
  const text = reading.tree.text.trim();
  if (isApology(text)) return [];
  const said = SAYINGS.map((saying) => saying.exec(text)?.[1]).find((one) => one !== undefined);
  if (said === undefined) return [];
  const note = { path: "", step: "label_removed", cost: 2 };
  return [
    {
      ...reading,
      tree: { kind: "string", text: said, bare: true },
      cost: reading.cost + 2,
      notes: [...reading.notes, note],
    },
  ];
}

/** How an answer is said: behind a label, in a sentence, in a box, before its explanation. */
const SAYINGS: readonly RegExp[] = [
  /^[*_#\s]*(?:the |my |your |its |our )?(?:(?:final|correct|total|short) )?[\p{L}_]{2,20}[*_\s]*(?:\bis\b|[:=])[*_\s]*(\S[^\n]*?)[*_\s]*[.!]?\s*$/iu,
  /^\s*#{1,6}[ \t]+[*_]*(\S[^\n]{0,80}?)[*_]*\s*$/u,
  /^["'“*`]{1,3}([^"'”*`\n]{1,80})["'”*`]{1,3} (?:is|was|would be) (?:the|my) (?:\p{L}{1,12} )?(?:answer|result|label|category|value)\b[^\n"]*$/iu,
  /^[^\\]*\\boxed\{([^{}\n]{1,80})\}[^\\]*$/u,
  /^[*_#\s]*(?:final |correct )?(?:answer|result|output|label|verdict)[*_\s]*[:=][*_\s]*([^\n]{1,80}?)[*_]*\s*\n\s*(?!(?:final |correct )?(?:answer|result|output|label|verdict)\b)\S[\s\S]*$/iu,
];

const LABELLED_CHARS_MAX = 400;

/** Maximum words of a list item that is the whole text. */
const ITEM_WORDS_MAX = 5;

const LISTS: readonly string[] = ["wrapped_in_list", "text_to_list"];

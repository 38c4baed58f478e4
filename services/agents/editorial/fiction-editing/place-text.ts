import type { ContractOutput } from "#shared/contract";
import { findOtherWork, mergeNotDone, shorten } from "../reading/find-other-work.ts";
import { findTextKind } from "../reading/find-text-kind.ts";
import { flatten, readParagraphs, readSentences } from "../reading/paragraphs.ts";
import type { NotDone } from "../other-work.ts";
import type { AnalysisWish } from "./answer.ts";

/** Decision on a text that came to be edited. */
export interface PlacedText {
  readonly status: "story" | "cannot_do" | "needs_answers";
  readonly not_done: NotDone[];
}

/** Words by which somebody turns to whoever reads, as no narrator does. */
const ADDRESSED = new RegExp(
  `(?<!\\p{L})(?:${[
    "please|bitte|por favor|s['’]il (?:vous|te) plaît|per favore|alstublieft",
    "can you|could you|p\\.?s\\.?:?|dear editors?|write (?:me|us)",
    "(?:which|how|when|what)[^?]*\\b(?:do|can|may|should) i\\b[^?]*\\?",
  ].join("|")})`,
  "iu",
);
const SPEECH = /[“"„«][^”"“»\n]{1,2000}[”"“»]/g;

/**
 * Holds what a model says of a text against the text: what its author asks for besides the editing is named, and what
 * is no story is not edited. Where rules and model disagree, the author is asked.
 */
export function placeText(
  wish: Pick<ContractOutput<typeof AnalysisWish>, "text_is" | "not_done">,
  text: string,
): PlacedText {
  const asked = findAskedBesides(text);
  const rest = withoutSentences(text, asked);
  const form = findTextKind(rest);
  const byRule =
    form === null || form === "too_short" ? asked : [...asked, { kind: form, words: shorten(rest) }];
  const not_done = mergeNotDone(byRule, wish.not_done, text);
  if (form === "too_short") return { status: asked.some(isWork) ? "cannot_do" : "needs_answers", not_done };
  if (wish.text_is === "cannot_tell") return { status: "needs_answers", not_done };
  if (form === null && wish.text_is === "story") return { status: "story", not_done };
  if (form !== null && wish.text_is === "story") return { status: "needs_answers", not_done };
  const named: NotDone[] = not_done.some(isWork)
    ? not_done
    : [...not_done, { kind: "other", words: shorten(text) }];
  return { status: "cannot_do", not_done: named };
}

function isWork({ kind }: NotDone): boolean {
  return kind !== "orders_to_a_machine";
}

/** Finds requests before and after a story, outside of its dialogue. */
function findAskedBesides(text: string): NotDone[] {
  const paragraphs = readParagraphs(text);
  const frame = [...new Set([0, paragraphs.length - 1])].map((at) => paragraphs[at] ?? "");
  return frame
    .flatMap((paragraph) => findOtherWork(paragraph.replaceAll(SPEECH, " ")))
    .filter((one) => !isWork(one) || ADDRESSED.test(one.words));
}

function withoutSentences(text: string, asked: readonly NotDone[]): string {
  return readParagraphs(text)
    .map((paragraph) =>
      asked.some(({ words }) => flatten(paragraph).includes(words))
        ? readSentences(paragraph)
            .filter((sentence) => !asked.some(({ words }) => sentence.includes(words)))
            .join(" ")
        : paragraph,
    )
    .filter((paragraph) => paragraph !== "")
    .join("\n\n");
}

import { DOUBT_MARK } from "../reading.ts";
import type { ChildTask, OcrFacts } from "../reading.ts";
import { layLines } from "./lay-lines.ts";
import { openLetterReader } from "./letter-reader.ts";
import type { PlacedWord } from "./letter-reader.ts";

/** Words are trusted from this confidence on, in percent; those with a digit, from the other one. */
const WORD_CONFIDENCE = 60;
const NUMBER_CONFIDENCE = 80;
/** A picture has text where at least so many words are trusted, and so large a share of all. */
const TRUSTED_LEAST = 4;
const TRUSTED_SHARE = 0.6;
/** Pictures with fewer pixels on their shorter side hold no line of text. */
const SIDE_LEAST = 20;

/**
 * A picture, or how it is had when its turn has come. Null: there is none. `not_written`: there is one that
 * is too large
 * to be read, or that has no writing on it.
 */
export type PictureSource = Uint8Array | (() => Promise<Uint8Array | null | "not_written">);

export interface ReadPictures {
  /** Text of each picture; null where it has none that could be read. */
  readonly pages: (string | null)[];
  readonly ocr: OcrFacts;
}

/**
 * Reads the text of pictures, as long as there is time. What could not be read is named as unread, and words with
 * digits of low confidence as doubtful: text is never guessed.
 */
export async function readPictures(
  sources: readonly PictureSource[],
  task: Pick<ChildTask, "letters" | "ocrMs" | "ocrPixelsMax">,
): Promise<ReadPictures> {
  const until = performance.now() + task.ocrMs;
  const reader = await openLetterReader(task.letters);
  const pages: (string | null)[] = [];
  const numbers: { readonly pages: number[]; readonly unread: number[] } = { pages: [], unread: [] };
  const facts = { words: 0, trusted: 0, doubtful: 0 };
  for (const [index, source] of sources.entries()) {
    const number = index + 1;
    const picture = typeof source === "function" ? await source() : source;
    pages.push(null);
    if (picture === null) continue;
    const words =
      picture === "not_written" || performance.now() > until ? null : (reader?.read(picture) ?? null);
    const trusted = words?.filter(isTrusted) ?? [];
    facts.words += words?.length ?? 0;
    facts.trusted += trusted.length;
    if (words === null || trusted.length < Math.max(TRUSTED_LEAST, words.length * TRUSTED_SHARE)) {
      numbers.unread.push(number);
      continue;
    }
    numbers.pages.push(number);
    facts.doubtful += words.filter(isDoubtful).length;
    pages[index] = layLines(placeLines(words));
  }
  return { pages, ocr: { languages: reader?.languages ?? [], ...numbers, ...facts } };
}

const isTrusted = ({ text, confidence }: PlacedWord): boolean =>
  confidence >= WORD_CONFIDENCE && /[\p{L}\p{N}]{2}/u.test(text);

const isDoubtful = ({ text, confidence }: PlacedWord): boolean =>
  /\d/.test(text) && confidence < NUMBER_CONFIDENCE;

/** Words with the height of their line, so that a line is not torn where a word is lower than another. */
function placeLines(words: readonly PlacedWord[]): Parameters<typeof layLines>[0] {
  const lines = Map.groupBy(words, ({ line }) => line);
  return [...lines.values()].flatMap((line) => {
    const height = Math.max(...line.map((word) => word.height), SIDE_LEAST / 2);
    const y = -line.reduce((sum, word) => sum + word.top + word.height / 2, 0) / line.length;
    return line.map((word) => ({
      text: isDoubtful(word) ? `${word.text}${DOUBT_MARK}` : word.text,
      x: word.left,
      y,
      width: word.width,
      height,
    }));
  });
}

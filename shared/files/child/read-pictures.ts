import { DOUBT_MARK } from "../reading.ts";
import type { ChildTask, OcrFacts } from "../reading.ts";
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

/** A picture, or how it is had in its turn. `not_written`: it is too large to be read, or has no writing on it. */
type PictureSource = Uint8Array | (() => Promise<Uint8Array | null | "not_written">);

export interface ReadPictures {
  /** Text of each picture; null where it has none that could be read. */
  readonly pages: (string | null)[];
  readonly ocr: OcrFacts;
}

/** Reads pictures' text in the time given. Unread ones are named, doubtful digits marked; text is never guessed. */
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

/** Decoded pixels, one byte for each channel. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: ArrayLike<number>;
}

/** Side of the squares that a picture is looked at in, and the step between the pixels looked at, in pixels. */
const TILE = 32;
const STEP = 2;
/** Luminance: less is flat, more is ink on its ground. */
const FLAT = 30;
const INK = 60;
/** Written pages have more than half of such squares among those that are not flat, and leaves next to none. */
const WRITTEN_SHARE = 0.15;

/** Returns true for squares of even ground with something that stands out: letters may be read off there. */
export function looksWritten(picture: Pixels): boolean {
  let [busy, written] = [0, 0];
  for (let top = 0; top + TILE <= picture.height; top += TILE)
    for (let left = 0; left + TILE <= picture.width; left += TILE) {
      const sorted = levelsIn(picture, left, top);
      const [low, middle, high] = [sorted[2] ?? 0, sorted[sorted.length >> 1] ?? 0, sorted.at(-3) ?? 0];
      if (high - low < FLAT) continue;
      busy += 1;
      const [below, above] = [middle - low, high - middle];
      if ((above < FLAT && below > INK) || (below < FLAT && above > INK)) written += 1;
    }
  return busy > 0 && written >= busy * WRITTEN_SHARE;
}

function levelsIn({ data, width, channels }: Pixels, left: number, top: number): number[] {
  const levels: number[] = [];
  for (let y = top; y < top + TILE; y += STEP)
    for (let x = left; x < left + TILE; x += STEP)
      levels.push(luminance(data, (y * width + x) * channels, channels));
  return levels.toSorted((a, b) => a - b);
}

function luminance(data: ArrayLike<number>, at: number, channels: number): number {
  const [red, green, blue] = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
  return channels < 3 ? red : (3 * red + 6 * green + blue) / 10;
}

/** A piece of text where it stands on a page, in points; y grows upwards. */
export interface PlacedText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Pieces whose baselines differ by less than this share of their height are on one line. */
const LINE_SHARE = 0.5;
/** A gap wider than this share of the height parts two words; one wider than the other, two columns. */
const WORD_SHARE = 0.15;
const COLUMN_SHARE = 1.2;
const HEIGHT_DEFAULT = 10;

/** Lays pieces of text out as lines, top to bottom and left to right; columns are parted by two spaces or more. */
export function layLines(pieces: readonly PlacedText[]): string {
  const ordered = pieces.filter(({ text }) => text.trim() !== "").toSorted((a, b) => b.y - a.y || a.x - b.x);
  const lines: PlacedText[][] = [];
  for (const piece of ordered) {
    const line = lines.at(-1);
    const { y, height } = line?.[0] ?? { y: Infinity, height: 0 };
    if (Math.abs(y - piece.y) < (height || HEIGHT_DEFAULT) * LINE_SHARE) line?.push(piece);
    else lines.push([piece]);
  }
  return lines.map((line) => layLine(line.toSorted((a, b) => a.x - b.x))).join("\n");
}

function layLine(pieces: readonly PlacedText[]): string {
  let line = "";
  let end = 0;
  for (const { text, x, width, height } of pieces) {
    const gap = (x - end) / (height || HEIGHT_DEFAULT);
    if (line !== "") line += gap > COLUMN_SHARE ? "   " : gap > WORD_SHARE ? " " : "";
    line += text;
    end = x + width;
  }
  return line.trimEnd();
}

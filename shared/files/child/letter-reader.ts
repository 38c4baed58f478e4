import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gunzipSync } from "node:zlib";

/** A word where it stands in a picture, in pixels. */
export interface PlacedWord {
  readonly text: string;
  /** Percent. */
  readonly confidence: number;
  /** Words of one line have the same. */
  readonly line: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface LetterReader {
  readonly languages: string[];
  /** Returns the words of a PNG or JPEG. */
  readonly read: (picture: Uint8Array) => PlacedWord[];
}

interface Tesseract {
  readonly FS: { readonly writeFile: (path: string, bytes: Uint8Array) => void };
  readonly TessBaseAPI: new () => {
    Init(folder: string | null, languages: string, engine: number): number;
    SetImageFile(orientation: number, angle: number): number;
    Recognize(monitor: null): number;
    GetTSVText(page: number): string;
  };
}

/** Tesseract's newer engine, the only one that the letters are for. */
const LSTM_ONLY = 1;
/** Columns of a row of words in its table. */
const WORD_LEVEL = "5";

/**
 * Opens Tesseract in this process, with the letters of the given files. Null where it is not installed: it is optional.
 * It is called without its own wrapper, which starts threads that the permission model does not hold.
 */
export async function openLetterReader(
  letters: Readonly<Record<string, string>>,
): Promise<LetterReader | null> {
  const languages = Object.keys(letters);
  if (languages.length === 0) return null;
  const module = await loadTesseract();
  for (const [language, path] of Object.entries(letters))
    module.FS.writeFile(`${language}.traineddata`, gunzipSync(readFileSync(path)));
  const api = new module.TessBaseAPI();
  if (api.Init(null, languages.join("+"), LSTM_ONLY) !== 0) return null;
  const read = (picture: Uint8Array): PlacedWord[] => {
    module.FS.writeFile("/input", picture);
    if (api.SetImageFile(orientationOf(picture), 0) === 1) return [];
    api.Recognize(null);
    return readTable(api.GetTSVText(0));
  };
  return { languages, read };
}

async function loadTesseract(): Promise<Tesseract> {
  const require = createRequire(import.meta.url);
  // The package has no types; what is used of it is named above.
  const open = require("tesseract.js-core/tesseract-core-simd-lstm") as (
    options: object,
  ) => Promise<Tesseract>;
  return open({ TesseractProgress: () => undefined, print: () => undefined, printErr: () => undefined });
}

/** The orientation that a camera wrote into a JPEG; 1 is upright. */
function orientationOf(picture: Uint8Array): number {
  const head = Buffer.from(picture.subarray(0, 500)).toString("hex");
  // The tag, its type, its count and its value, with the high byte first or last.
  const found = /0112000300000001000([1-8])|12010300010000000([1-8])/.exec(head);
  return Number(found?.[1] ?? found?.[2] ?? 1);
}

function readTable(table: string): PlacedWord[] {
  return table.split("\n").flatMap((row): PlacedWord[] => {
    const [level, , block, paragraph, line, , left, top, width, height, confidence, text] = row.split("\t");
    if (level !== WORD_LEVEL || text === undefined || text.trim() === "") return [];
    return [
      {
        text,
        confidence: Number(confidence),
        line: `${block}:${paragraph}:${line}`,
        left: Number(left),
        top: Number(top),
        width: Number(width),
        height: Number(height),
      },
    ];
  });
}

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gunzipSync } from "node:zlib";
import { sizeOfJpeg, sizeOfPng } from "./picture-size.ts";
import type { Size } from "./picture-size.ts";

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

/** The part of Tesseract's interface that is used. */
interface Tesseract {
  readonly FS: { readonly writeFile: (path: string, bytes: Uint8Array) => void };
  readonly TessBaseAPI: new () => {
    Init(folder: string | null, languages: string, engine: number): number;
    SetImageFile(orientation: number, angle: number): number;
    SetRectangle(left: number, top: number, width: number, height: number): void;
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
    const size = sizeOf(picture);
    if (size === null) return [];
    const { width, height } = size;
    // Leaves and waves are taken for letters, which takes long: a band of the picture tells that sooner.
    api.SetRectangle(0, Math.floor(height * BAND.top), width, Math.ceil(height * BAND.height));
    api.Recognize(null);
    const probe = readTable(api.GetTSVText(0));
    if (isNoise(probe)) return probe;
    api.SetRectangle(0, 0, width, height);
    api.Recognize(null);
    return readTable(api.GetTSVText(0));
  };
  return { languages, read };
}

/** Share of the height of a picture that is read first. */
const BAND = { top: 0.42, height: 0.16 };
const NOISE_WORDS_LEAST = 8;
/** Words of noise have less confidence than this, all but a few of them. In percent. */
const NOISE_CONFIDENCE = 60;
const NOISE_SHARE = 0.75;

function isNoise(words: readonly PlacedWord[]): boolean {
  const unsure = words.filter(({ confidence }) => confidence < NOISE_CONFIDENCE).length;
  return words.length >= NOISE_WORDS_LEAST && unsure >= words.length * NOISE_SHARE;
}

/** Upright: a camera may have written the picture lying. */
function sizeOf(picture: Uint8Array): Size | null {
  const bytes = Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength);
  const size = sizeOfPng(bytes) ?? sizeOfJpeg(bytes);
  const isLying = orientationOf(picture) >= FIRST_LYING;
  return size !== null && isLying ? { width: size.height, height: size.width } : size;
}

/** Orientations from this one on are turned by a quarter. */
const FIRST_LYING = 5;

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
  const head = Buffer.from(picture.subarray(0, 500)).toString("latin1");
  const found =
    /\x01\x12\x00\x03\x00\x00\x00\x01\x00([\x01-\x08])|\x12\x01\x03\x00\x01\x00\x00\x00([\x01-\x08])/.exec(
      head,
    );
  return (found?.[1] ?? found?.[2] ?? "\x01").charCodeAt(0);
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

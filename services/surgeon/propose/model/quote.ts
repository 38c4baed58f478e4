import { randomHex } from "#shared/clock";

/** Bytes of randomness in one mark. */
const MARK_BYTES = 8;

/** What is left of a text that is cut comes from its beginning, but for this share from its end. */
const END_SHARE = 4;

/**
 * A text between two lines that its author cannot have written: they carry a mark that is random, and that does not
 * stand in the text, whatever it holds. The text comes without control characters.
 *
 * @param newMark - Where marks come from. Default: 16 random hex digits.
 */
export function quote(name: string, text: string, newMark = (): string => randomHex(MARK_BYTES)): string {
  const plain = withoutControls(text);
  let mark = newMark();
  // Longer than the text it cannot get without being none of its own.
  while (plain.includes(mark)) mark += newMark() || "#";
  return `<<${name} ${mark}>>\n${plain}\n<<end ${mark}>>`;
}

/**
 * A text without what steers terminals or hides words: control and format characters, separators of lines that
 * are no line breaks, and rows of variation selectors, in which whole sentences can be written unseen. Line
 * breaks, tabs, joiners of scripts, and a single selector behind a character stay.
 */
export function withoutControls(text: string): string {
  return text
    .replaceAll(/[\p{Cc}--[\n\r\t]]|[\p{Cf}--[\u200c\u200d]]|[\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gv, "")
    .replaceAll(/([\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu, "$1");
}

/** Plain text of at most `charsMax` characters beside the note of what was left out of the middle. */
export function quoteShort(text: string, charsMax: number): string {
  const plain = withoutControls(text);
  if (plain.length <= charsMax) return plain;
  const end = Math.floor(charsMax / END_SHARE);
  const left = plain.length - charsMax;
  return `${plain.slice(0, charsMax - end)} … ${left} characters left out … ${plain.slice(plain.length - end)}`;
}

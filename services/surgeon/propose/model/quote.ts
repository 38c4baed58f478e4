import { randomHex } from "#shared/clock";

/** Random bytes of one delimiter. */
const MARK_BYTES = 8;

/** Share of a truncated text that comes from its end; the rest comes from its beginning. */
const END_SHARE = 4;

/**
 * Quotes a text between two delimiter lines that its author cannot forge (prompt injection): they contain a random
 * mark that the text does not. Strips control characters.
 * @param newMark - Source of marks. Default: 16 random hex digits.
 */
export function quote(name: string, text: string, newMark = (): string => randomHex(MARK_BYTES)): string {
  const plain = withoutControls(text);
  let mark = newMark();
  // A mark longer than the text cannot occur in it.
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

/** Quotes at most `charsMax` characters, with a note in place of the dropped middle. */
export function quoteShort(text: string, charsMax: number): string {
  const plain = withoutControls(text);
  if (plain.length <= charsMax) return plain;
  const end = Math.floor(charsMax / END_SHARE);
  const left = plain.length - charsMax;
  return `${plain.slice(0, charsMax - end)} … ${left} characters left out … ${plain.slice(plain.length - end)}`;
}

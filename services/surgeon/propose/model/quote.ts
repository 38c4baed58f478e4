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
 * Strips characters that steer terminals or hide words: control and format characters, line separators that are not
 * line breaks, and runs of variation selectors, which can encode hidden sentences. Keeps line breaks, tabs, script
 * joiners and a single selector after a character.
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

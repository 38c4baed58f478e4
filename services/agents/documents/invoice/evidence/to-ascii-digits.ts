/** Zeros of the decimal digits that are read: Arabic-Indic, its Persian form, Devanagari. */
const ZEROS = [0x0660, 0x06f0, 0x0966];
/** Full-width forms of ASCII, as in Japanese. */
const FULL_WIDTH = { first: 0xff01, last: 0xff5e, offset: 0xfee0 };

const MARKS: Readonly<Record<string, string>> = {
  "٫": ".",
  "٬": ",",
  "−": "-",
  "　": " ",
  "％": "%",
  "٪": "%",
  "￥": "¥",
};

/**
 * Returns the text with digits, number marks and full-width letters of other scripts as ASCII. Each character stays one
 * character, so that places in the one are places in the other.
 */
export function toAsciiDigits(text: string): string {
  return text.replaceAll(/[٠-٩۰-۹०-९٫٬−！-～　％٪￥]/g, (char) => {
    const mark = MARKS[char];
    if (mark !== undefined) return mark;
    const code = char.charCodeAt(0);
    const zero = ZEROS.find((one) => code >= one && code < one + 10);
    if (zero !== undefined) return String(code - zero);
    return code >= FULL_WIDTH.first && code <= FULL_WIDTH.last
      ? String.fromCharCode(code - FULL_WIDTH.offset)
      : char;
  });
}

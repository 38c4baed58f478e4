const MARKS: Readonly<Record<string, string>> = { "٫": ".", "٬": ",", "−": "-", "٪": "%" };

/** Returns the text with Arabic-Indic, Persian and Devanagari digits, number marks and full-width forms as ASCII. */
export function toAsciiDigits(text: string): string {
  return text
    .replaceAll(/[！-～　￥]/g, (wide) => wide.normalize("NFKC"))
    .replaceAll(/[٫٬−٪]/g, (mark) => MARKS[mark] ?? mark)
    .replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll(/[०-९]/g, (digit) => String((digit.charCodeAt(0) & 0xf) - 6));
}

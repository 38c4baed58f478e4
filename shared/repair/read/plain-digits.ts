/** Arabic marks of decimals and thousands. */
const MARKS: Readonly<Record<string, string>> = { "٫": ".", "٬": "," };

/** Writes the decimal digits of any script as 0 to 9, without the marks of writing direction around them. */
export function plainDigits(text: string): string {
  if (!/[^\0-\x7F]/.test(text)) return text;
  return text
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/[٫٬]/g, (mark) => MARKS[mark] ?? mark)
    .replaceAll(/(?=[^\0-\x7F])\p{Nd}/gu, (digit) => {
      // The digits of a script have ten codes in a row, from 0 on.
      let [code, value] = [digit.codePointAt(0) ?? 0, 0];
      while (/\p{Nd}/u.test(String.fromCodePoint(code - 1))) [code, value] = [code - 1, value + 1];
      return String(value);
    });
}

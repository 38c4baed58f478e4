/** Lower case, compatible characters and white space as one. */
function fold(text: string): string {
  return text.normalize("NFKC").replaceAll(/\s+/gu, " ").trim().toLowerCase();
}

/** Two signs of a script without letters, six letters of another. */
const QUOTE_BYTES_MIN = 6;

/** Returns true when a text holds a quotation, whatever its case and white space. A shorter one proves nothing. */
export function standsIn(text: string, quote: string): boolean {
  const [whole, quoted] = [fold(text), fold(quote)];
  return whole.includes(quoted) && (Buffer.byteLength(quoted) >= QUOTE_BYTES_MIN || quoted === whole);
}

/** No letter, digit or inner sign before or after: 10234 is not in A-10234, nor 425 in 425.50. */
const BEFORE = "(?<![\\p{L}\\d]|[\\p{L}\\d][.,-])";
const AFTER = "(?![\\p{L}\\d]|[.,-]\\d)";

/** Returns true when the text holds an id as a word of its own, whatever its case and the spaces inside. */
export function mentions(text: string, id: string): boolean {
  const characters = Array.from(id.normalize("NFKC").replaceAll(/\s/g, ""), (one) => RegExp.escape(one));
  return new RegExp(`${BEFORE}${characters.join("\\s?")}${AFTER}`, "iu").test(text.normalize("NFKC"));
}

const NUMBER =
  /(?<![\d.,])(?:\d{1,3}(?:[.,'’ ]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?)(?![\d]|[.,-]\d)/gu;

/** Returns the numbers that a text holds, digits in groups or not. Two digits after the last sign are decimals. */
export function listNumbers(text: string): number[] {
  return [...text.normalize("NFKC").matchAll(NUMBER)].map(([written]) => {
    const decimals = /[.,](\d{1,2})$/.exec(written);
    const whole = decimals === null ? written : written.slice(0, decimals.index);
    return Number(`${whole.replaceAll(/\D/g, "")}.${decimals?.[1] ?? "0"}`);
  });
}

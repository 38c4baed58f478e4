/** Punctuation without a meaning of its own. Meaningful signs, as in `C++` or `5 %`, stay. */
const PUNCTUATION = /[\s.,;:!?'"`´‘’“”„«»()[\]{}…*_~|/\\\-‐‑‒–—]+/u;

/** A number at the start of the text or after a space or an opening bracket, with its sign. */
const NUMBER = /(?<=^|[\s([{"'])[-+−]?(?:\d{1,3}(?: \d{3})+|\d[\d.,]*|\.\d+)(?:e[-+]?\d+)?(?![\p{L}\d])/giu;

/**
 * Normalises a vote for comparison: `"Urgent."` is `urgent`, `very-high` is `very high`; `1,000`, `1000.0` and `1e3`
 * are one number. A sign is part of its number. A text without words stays unchanged.
 */
export function normaliseVote(vote: string | number | boolean): string {
  const text = String(vote).normalize("NFKC").toLowerCase().trim();
  const numbers: string[] = [];
  // Numbers are replaced first, so that their signs and points are not removed as punctuation.
  const marked = text.replaceAll(NUMBER, (found) => {
    const end = /[.,]+$/.exec(found)?.[0] ?? "";
    numbers.push(toNumber(end === "" ? found : found.slice(0, -end.length)));
    return ` \u0000${numbers.length - 1} ${end}`;
  });
  const words = marked
    .split(PUNCTUATION)
    .filter((word) => word !== "")
    .map((word) => (word.startsWith("\u0000") ? (numbers[Number(word.slice(1))] ?? word) : word));
  return words.length === 0 ? text : words.join(" ");
}

const THOUSANDS_BY_COMMA = /^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?:e[-+]?\d+)?$/;
const THOUSANDS_BY_POINT = /^[-+]?\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$|^[-+]?\d{1,3}(?:\.\d{3})+,\d+$/;
const DECIMAL_COMMA = /^[-+]?\d+,\d+$/;

/** The shortest form of a number; other digits, such as a date, stay unchanged. */
function toNumber(found: string): string {
  const text = found.replace("−", "-").replaceAll(" ", "");
  const plain = THOUSANDS_BY_COMMA.test(text)
    ? text.replaceAll(",", "")
    : THOUSANDS_BY_POINT.test(text)
      ? text.replaceAll(".", "").replace(",", ".")
      : DECIMAL_COMMA.test(text)
        ? text.replace(",", ".")
        : text;
  const value = Number(plain);
  // Beyond the exact range of a double two different numbers could become one.
  const isExact = Number.isFinite(value) && plain.replaceAll(/\D/g, "").length <= 15;
  if (!isExact) return plain;
  return String(value === 0 ? 0 : value);
}

/** Punctuation without a meaning of its own. Meaningful signs, as in `C++` or `5 %`, and those of numbers stay. */
const PUNCTUATION = /[\s.,;:!?'"`´‘’“”„«»()[\]{}…*_~|/\\\-‐‑‒–—]+(?!\d)/u;
const AROUND = /^[\s"'“‘«*_`(]+|[\s"'”’»*_`).!,;:]+$/gu;
const GROUPED = /^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/;

/** Digits of numbers that a double tells apart. */
const EXACT_CHARS_MAX = 15;

/**
 * Normalises a vote for comparison: `"Urgent."` is `urgent`, `very-high` is `very high`; `1,000`, `1000.0` and `1e3`
 * are one number. A text without words stays unchanged.
 */
export function normaliseVote(vote: string | number | boolean): string {
  const text = String(vote).normalize("NFKC").toLowerCase().trim();
  const bare = text.replaceAll(AROUND, "");
  const plain = GROUPED.test(bare) ? bare.replaceAll(",", "") : bare;
  if (NUMBER.test(plain) && plain.length <= EXACT_CHARS_MAX) return String(Number(plain) + 0);
  const words = bare.split(PUNCTUATION).filter((word) => word !== "");
  return words.length === 0 ? text : words.join(" ");
}

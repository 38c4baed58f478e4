/** Small words that every text of a language has. */
const SMALL_WORDS: Readonly<Record<string, readonly string[]>> = {
  English: ["the", "and", "of", "to", "is", "for", "with", "due", "bill", "date", "from", "total"],
  German: [
    "der",
    "die",
    "das",
    "und",
    "ist",
    "für",
    "mit",
    "von",
    "bis",
    "nicht",
    "rechnung",
    "betrag",
    "datum",
    "ihren",
    "dank",
  ],
  French: ["le", "la", "les", "et", "des", "du", "pour", "avec", "est", "une", "facture", "montant"],
  Spanish: ["el", "los", "las", "de", "y", "para", "con", "una", "es", "por", "factura", "importe"],
};

/** The language whose small words a text has most of; `an unknown language` where it has next to none. */
export function guessLanguage(text: string): string {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const scores = Object.entries(SMALL_WORDS).map(([language, small]) => {
    const known = new Set(small);
    return { language, score: words.filter((word) => known.has(word)).length };
  });
  const best = scores.toSorted((a, b) => b.score - a.score)[0];
  return best === undefined || best.score < 2 ? "an unknown language" : best.language;
}

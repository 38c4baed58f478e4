/** Small words that a language has and the others here have not. */
const SMALL_WORDS: readonly (readonly [language: string, words: RegExp])[] = [
  ["de", /(?<!\p{L})(?:und|der|das|rechnung|datum|betrag|für|von)(?!\p{L})/giu],
  ["fr", /(?<!\p{L})(?:le|les|du|facture|et|pour|montant|échéance|client)(?!\p{L})/giu],
  ["es", /(?<!\p{L})(?:el|los|del|factura|fecha|y|cliente|importe)(?!\p{L})/giu],
  ["it", /(?<!\p{L})(?:il|di|della|fattura|totale|importo|imponibile)(?!\p{L})/giu],
  ["pt", /(?<!\p{L})(?:o|da|do|fatura|recibo|emissão|vencimento|valor)(?!\p{L})/giu],
  ["nl", /(?<!\p{L})(?:het|een|van|factuur|btw|bedrag|aan)(?!\p{L})/giu],
  ["pl", /(?<!\p{L})(?:i|na|faktura|sprzedawca|nabywca|zapłaty|razem)(?!\p{L})/giu],
  ["sv", /(?<!\p{L})(?:och|av|moms|kund|betala|faktura|belopp)(?!\p{L})/giu],
  ["el", /\p{Script=Greek}+/gu],
  ["ja", /[\u3041-\u30ff]/gu],
  ["ar", /\p{Script=Arabic}+/gu],
  ["en", /(?<!\p{L})(?:the|and|of|invoice|total|date|to|for)(?!\p{L})/giu],
];

/** Returns the language whose small words a text has most of; English where it has none. */
export function guessLanguage(text: string): string {
  const counts = SMALL_WORDS.map(([language, words]) => [language, text.match(words)?.length ?? 0] as const);
  const best = counts.toSorted(([, a], [, b]) => b - a)[0];
  return best === undefined || best[1] === 0 ? "en" : best[0];
}

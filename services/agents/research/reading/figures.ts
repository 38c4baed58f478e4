const NUMBER = /(?<![\d.,\p{L}])(?:€\s?)?(\d{1,3}(?:,\d{3})+|\d{1,12})(\.\d{1,6})?(?![\d])/gu;

/** Returns every figure of a text, dates and years included: what a claim may not make up. */
export function readFigures(text: string): Set<string> {
  const figures = [...text.matchAll(NUMBER)];
  return new Set(
    figures.map(([, digits = "", fraction = ""]) => String(Number(digits.replaceAll(",", "") + fraction))),
  );
}

const NAMES: readonly { readonly words: RegExp; readonly code: string }[] = [
  { words: /\b(?:US|U\.S\.|American) dollars?\b/i, code: "USD" },
  { words: /\b(?:Canadian) dollars?\b/i, code: "CAD" },
  { words: /\b(?:Australian) dollars?\b/i, code: "AUD" },
  { words: /\beuros?\b/i, code: "EUR" },
  { words: /\b(?:British pounds?|pounds? sterling)\b/i, code: "GBP" },
  { words: /\bSwiss francs?\b/i, code: "CHF" },
  { words: /\b(?:Japanese )?yen\b/i, code: "JPY" },
  { words: /\bIndian rupees?\b/i, code: "INR" },
];

/** The code of the only currency that a text names in words: `euros`, `Total in Swiss francs`. */
export function codeOfName(text: string): string | undefined {
  const named = NAMES.filter(({ words }) => words.test(text));
  return named.length === 1 ? named[0]?.code : undefined;
}

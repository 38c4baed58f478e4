/** Closing quotation marks by opening mark. */
const CLOSERS: Readonly<Record<string, string>> = {
  '"': '"“”',
  "'": "'‘’",
  "`": "`´'",
  "´": "´`'",
  "“": '”“"',
  "”": '”“"',
  "„": '“”"',
  "«": "»",
  "‘": "’‘'",
  "’": "’‘'",
};

export function opensString(char: string): boolean {
  // Fast path: called for nearly every character.
  if (char <= "~") return char === '"' || char === "'" || char === "`";
  return Object.hasOwn(CLOSERS, char);
}

/** Returns the marks that close a string. A plain double quote is closed by a plain one only. */
export function closersOf(opener: string): string {
  return opener === '"' || opener === "'" ? opener : (CLOSERS[opener] ?? opener);
}

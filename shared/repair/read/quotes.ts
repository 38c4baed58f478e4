/** Every kind of quotation mark that opens a string, with the marks that may close it. */
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
  // Asked at nearly every character, of which nearly all are plain.
  if (char <= "~") return char === '"' || char === "'" || char === "`";
  return Object.hasOwn(CLOSERS, char);
}

/** The marks that close a string opened by `opener`. A plain double quote is closed by a plain one only. */
export function closersOf(opener: string): string {
  return opener === '"' || opener === "'" ? opener : (CLOSERS[opener] ?? opener);
}

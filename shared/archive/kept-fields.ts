/** Returns the fields whose names are taken. */
export function pick(
  fields: Readonly<Record<string, string>>,
  takes: (name: string) => boolean,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => takes(name)));
}

/** Parses a time of a record, in ms; 0 where it is damaged. */
export function wholeMs(text: string | undefined): number {
  const ms = Math.floor(Number(text));
  return Number.isSafeInteger(ms) ? ms : 0;
}

/** Removes NUL, which text of PostgreSQL cannot hold; only a damaged record has one in these fields. */
export function withoutNul(text: string): string {
  return text.replaceAll("\0", "");
}

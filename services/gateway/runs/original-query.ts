/** At most 3 bytes of UTF-8 each, so that the text stays below the envelope's bound of 64 KiB for a string. */
const QUERY_CHARS_MAX = 20_000;

/** Fields in which inputs carry the user's own words, the likeliest first. */
export const TEXT_FIELDS = [
  "body",
  "text",
  "query",
  "message",
  "question",
  "prompt",
  "instructions",
  "input",
] as const;

/** The user's own words in a task's input: its text field, the input itself if it is text, else its JSON. Bounded. */
export function originalQueryOf(input: unknown): string {
  return boundQuery(findText(input) ?? JSON.stringify(input) ?? "");
}

function findText(input: unknown): string | undefined {
  if (typeof input === "string") return input;
  if (typeof input !== "object" || input === null) return undefined;
  const fields: Readonly<Record<string, unknown>> = { ...input };
  for (const name of TEXT_FIELDS) {
    const text = fields[name];
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}

/** A text as long as an envelope carries the user's words; cut between characters, never inside one. */
export function boundQuery(text: string): string {
  if (text.length <= QUERY_CHARS_MAX) return text;
  const cut = text.slice(0, QUERY_CHARS_MAX);
  const last = cut.charCodeAt(cut.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut;
}

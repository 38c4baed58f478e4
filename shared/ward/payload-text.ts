/** What the engine tells a reviver of a primitive: its exact text. Newer than the compiler's own library. */
interface ReviverContext {
  readonly source?: string;
}

interface ExactJson {
  parse(text: string, reviver: (key: string, value: unknown, context: ReviverContext) => unknown): unknown;
  rawJSON(text: string): unknown;
}

// Every supported Node has both; the type only adds what the library's declarations lack.
const exact = JSON as unknown as ExactJson;

/**
 * The payload of a letter as JSON text with every number as it was written: parsing and printing would turn a 20-digit
 * id or 1.10 into another text.
 *
 * @param bytes - The envelope's JSON text, already read once and found good.
 */
export function payloadTextOf(bytes: string): string {
  const envelope = exact.parse(bytes, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && String(value) !== source
      ? exact.rawJSON(source)
      : value,
  );
  // The envelope's schema was checked when the letter was opened.
  return JSON.stringify((envelope as { data_payload: unknown }).data_payload);
}

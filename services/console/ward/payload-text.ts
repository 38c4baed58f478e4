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
 * The payload of a letter as JSON text with every number as it was written: parsing and printing would show a person
 * another 20-digit id than the one that came.
 *
 * @param bytes - The envelope's JSON text.
 */
export function payloadTextOf(bytes: string): string {
  const envelope = exact.parse(bytes, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && String(value) !== source
      ? exact.rawJSON(source)
      : value,
  );
  const payload =
    typeof envelope === "object" && envelope !== null && "data_payload" in envelope
      ? envelope.data_payload
      : null;
  return JSON.stringify(payload);
}

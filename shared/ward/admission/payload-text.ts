/** Reviver argument with the exact source text of a primitive. Newer than the compiler's library types. */
interface ReviverContext {
  readonly source?: string;
}

interface ExactJson {
  parse(text: string, reviver: (key: string, value: unknown, context: ReviverContext) => unknown): unknown;
  rawJSON(text: string): unknown;
}

// Every supported Node version has both; the type only adds what the library's declarations lack.
const exact = JSON as unknown as ExactJson;

/**
 * Returns the payload of a message as JSON text with every number as written: parsing and printing would change a
 * 20-digit id, or 1.10.
 *
 * @param bytes - The envelope's JSON text, already parsed once without faults.
 * @param payload - Its parsed payload, if known: usually it prints as written, which is quick to check.
 */
export function payloadTextOf(bytes: string, payload?: unknown): string {
  return asPrinted(bytes, payload) ?? asWritten(bytes);
}

const FIELD = '"data_payload":';

/** Returns the printed payload; undefined if it may differ from the text as written. */
function asPrinted(bytes: string, payload: unknown): string | undefined {
  const at = bytes.indexOf(FIELD);
  if (payload === undefined || at === -1 || bytes.includes(FIELD, at + 1)) return undefined;
  const printed: string = JSON.stringify(payload);
  const end = at + FIELD.length + printed.length;
  const isWhole = bytes[end] === "," || bytes[end] === "}";
  return isWhole && bytes.startsWith(printed, at + FIELD.length) ? printed : undefined;
}

function asWritten(bytes: string): string {
  const envelope = exact.parse(bytes, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && String(value) !== source
      ? exact.rawJSON(source)
      : value,
  );
  // The envelope's schema was checked when the message was opened.
  return JSON.stringify((envelope as { data_payload: unknown }).data_payload);
}

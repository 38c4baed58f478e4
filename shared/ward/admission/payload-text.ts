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
 * The payload of a message as JSON text with every number as it was written: parsing and printing would turn a
 * 20-digit id or 1.10 into another text.
 *
 * @param bytes - The envelope's JSON text, already read once and found good.
 * @param payload - What it says, where that is known: nearly always it prints as it was written, and that is
 * quickly seen.
 */
export function payloadTextOf(bytes: string, payload?: unknown): string {
  return asPrinted(bytes, payload) ?? asWritten(bytes);
}

const FIELD = '"data_payload":';

/** Undefined where the text as printed is not the text as written, or that cannot be told at a glance. */
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

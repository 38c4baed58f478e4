import { toIssues } from "#shared/contract";
import { checkValue, JsonBoundError, parseBounded } from "#shared/envelope/json";
import { ENVELOPE_LIMITS_DEFAULT, envelopeSchema } from "#shared/envelope";
import type { Conversation } from "#shared/envelope";
import { SutureError } from "#shared/errors";
import { isRecord } from "#shared/json";
import { ContextNotJsonError, ContextUnreadableError } from "./errors.ts";

const conversationSchema = envelopeSchema.shape.conversation;

/** Name of the history in contexts of other systems. */
const FOREIGN_HISTORY = "conversation_history";

/**
 * Writes a conversation's passed-on parts as compact UTF-8 JSON, which `readContext` restores.
 * @throws {ContextNotJsonError} Not JSON, or over a bound; `issues` name the field. {ContextUnreadableError}
 */
export function writeContext({ history, tool_state, metadata }: Conversation): Uint8Array {
  const context = { history, tool_state, metadata };
  try {
    checkValue(context, ENVELOPE_LIMITS_DEFAULT);
  } catch (error) {
    if (!(error instanceof JsonBoundError)) throw error;
    throw new ContextNotJsonError(error);
  }
  // `stringify` escapes lone surrogates, so that no character is lost.
  const bytes = Buffer.from(JSON.stringify(context), "utf8");
  readContext(bytes);
  return bytes;
}

/** Reads a written context. @throws {ContextUnreadableError} It is none; `issues` name every fault by JSON pointer. */
export function readContext(bytes: Uint8Array): Conversation {
  const { envelopeBytesMax } = ENVELOPE_LIMITS_DEFAULT;
  if (bytes.byteLength > envelopeBytesMax)
    throw new ContextUnreadableError(`they are ${bytes.byteLength}, more than ${envelopeBytesMax}`);
  const parsed = conversationSchema.safeParse(withOurNames(parse(bytes)));
  if (parsed.success) return parsed.data;
  const issues = toIssues(parsed.error);
  throw new ContextUnreadableError(`wrong at ${issues.map(({ path }) => path || "/").join(", ")}`, issues);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseBounded(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof TypeError) throw new ContextUnreadableError("they are not UTF-8");
    if (!(error instanceof SutureError)) throw error;
    throw new ContextUnreadableError(error.message.replace(/\.$/, ""), error.issues);
  }
}

function withOurNames(value: unknown): unknown {
  if (!isRecord(value) || !Object.hasOwn(value, FOREIGN_HISTORY)) return value;
  const { [FOREIGN_HISTORY]: history, ...rest } = value;
  return { ...rest, history };
}

import type { Message, Part } from "@a2a-js/sdk";
import { Role } from "@a2a-js/sdk";
import {
  ContentTypeNotSupportedError,
  RequestMalformedError,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors";
import { isSealed, openPart } from "#shared/a2a";
import type { Keyring } from "#shared/envelope/keys";
import { SutureError } from "#shared/errors";
import { isRecord } from "#shared/json";
import type { Team } from "#shared/runtime";
import { readInput } from "../runs/read-input.ts";

/** Characters of an id that a client chooses. */
const ID_CHARS_MAX = 256;

/** A message as the task that it begins. */
export interface ReadMessage {
  readonly messageId: string;
  /** "": the client gave none. */
  readonly contextId: string;
  readonly payload: unknown;
  /** The text parts, joined; null for none. */
  readonly text: string | null;
  /** Sender, digest and run of a sealed message; null for one that is not. */
  readonly sealed: { readonly by: string; readonly digest: string; readonly run: string } | null;
}

/**
 * Reads a message that begins a task: data parts are the payload, text parts its one text, and a data field wins.
 * @throws {RequestMalformedError | UnsupportedOperationError | ContentTypeNotSupportedError}
 */
export function readMessage(team: Team, message: Message | undefined, keys: Keyring | null): ReadMessage {
  if (message === undefined) throw new RequestMalformedError("message is required");
  const { messageId, contextId, taskId, role, parts } = message;
  if (messageId === "" || messageId.length > ID_CHARS_MAX)
    throw new RequestMalformedError(`message.messageId is required, of at most ${ID_CHARS_MAX} characters`);
  if (contextId.length > ID_CHARS_MAX)
    throw new RequestMalformedError(`message.contextId has more than ${ID_CHARS_MAX} characters`);
  if (role === Role.ROLE_AGENT) throw new RequestMalformedError("message.role is that of the agent");
  if (parts.length === 0) throw new RequestMalformedError("message.parts is empty");
  if (taskId !== "")
    throw new UnsupportedOperationError(
      "A task takes one message. Send a message without taskId to begin another.",
    );
  const [only] = parts;
  if (only !== undefined && parts.length === 1 && isSealed(only))
    return { messageId, contextId, text: null, ...openSealed(team, only, { keys, id: messageId }) };
  const texts = parts.flatMap(({ content }) => (content?.$case === "text" ? [content.value] : []));
  const text = texts.length === 0 ? null : texts.join("\n\n");
  return { messageId, contextId, text, sealed: null, payload: readPayload(team, text, parts) };
}

/** @throws {RequestMalformedError} It is not what a known sender sealed for this team under this id. */
function openSealed(
  { name }: Team,
  part: Part,
  { keys, id }: { readonly keys: Keyring | null; readonly id: string },
): Pick<ReadMessage, "payload" | "sealed"> {
  if (keys === null) throw new RequestMalformedError("This cluster has no keys of sealed messages.");
  try {
    const { envelope, digest } = openPart(part, { keys, to: name, id });
    const { source_agent: by, run_id: run } = envelope.meta;
    return { payload: envelope.data_payload, sealed: { by, digest, run } };
  } catch (error) {
    if (error instanceof SutureError) throw new RequestMalformedError(`The seal is not valid: ${error.code}`);
    throw error;
  }
}

function readPayload(team: Team, text: string | null, parts: readonly Part[]): unknown {
  const data = parts.flatMap(({ content }) => {
    if (content?.$case === "text") return [];
    if (content?.$case === "data") return [content.value as unknown];
    throw new ContentTypeNotSupportedError(
      "Parts are text or data. Store a file with POST /v1/blobs and refer to it in the data.",
    );
  });
  const [first] = data;
  if (text === null && data.length === 1) return first;
  if (!data.every(isRecord))
    throw new RequestMalformedError("several parts: each data part has to be an object");
  const fields = Object.assign({}, ...data) as Readonly<Record<string, unknown>>;
  if (text === null) return fields;
  const { team: _reserved, ...own } = fields;
  return readInput([team], { input: text, additional_input: own }, { teamDefault: team.name }).payload;
}

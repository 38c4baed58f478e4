import { gzipSync } from "node:zlib";
import { agentNameOf, findContradiction } from "../path.ts";
import { ENVELOPE_LIMITS_DEFAULT } from "../bounds.ts";
import type { Conversation, Envelope } from "../envelope.ts";
import type { EnvelopeLimits } from "../bounds.ts";
import {
  EnvelopeInvalidError,
  EnvelopeTooLargeError,
  SigningKeyMissingError,
  UnknownKeyError,
} from "../errors.ts";
import { checkValue, isWithinBounds } from "../json/check-value.ts";
import type { EnvelopeKey, Keyring } from "../keys/keyring.ts";
import { checkEnvelope } from "../read-envelope.ts";
import type { OriginalSeal, SealedMessage } from "./sealed-message.ts";
import { baseQueue, digestOf, signParts, verifySignature } from "./signature.ts";

interface SealRequest {
  readonly envelope: Envelope;
  /** Name of the receiver, or of its retry queue: both give the same seal. The job id is `meta.message_id`. */
  readonly queue: string;
  /** Key of the edge from `source_agent` to `target_agent`: `keyring.signing(from, to)`. */
  readonly key: EnvelopeKey;
  /** Limits that differ from `ENVELOPE_LIMITS_DEFAULT`. */
  readonly limits?: Partial<EnvelopeLimits>;
  /** The opened parent from which `createNext` made this envelope: inherited fields are not checked again. */
  readonly parent?: Envelope;
}

export interface Sealed {
  /** The job's data. */
  readonly message: SealedMessage;
  /** SHA-256 of `bytes`, in hex: the `parent_digest` of its children. */
  readonly digest: string;
  /** The envelope's exact JSON text. */
  readonly bytes: string;
}

/** Refuses what the receiver would refuse, while the sender is still known. */
function checkForSealing({ envelope, queue, key }: SealRequest): void {
  const { meta } = envelope;
  const contradiction = findContradiction(envelope);
  if (contradiction !== undefined) {
    throw new EnvelopeInvalidError([
      { path: contradiction.path, code: "contradiction", message: contradiction.problem },
    ]);
  }
  const to = agentNameOf(meta.target_agent);
  const from = agentNameOf(meta.source_agent);
  if (baseQueue(queue) !== to) {
    throw new EnvelopeInvalidError([
      { path: "/meta/target_agent", code: "contradiction", message: "is not the agent of that queue" },
    ]);
  }
  if (key.from !== from || key.to !== to) throw new SigningKeyMissingError({ from, to });
}

/** The shortest field, `"":0,`: a text with fewer characters per key limit cannot exceed it. */
const FIELD_CHARS_MIN = 5;

function checkAndWrite({ envelope, parent }: SealRequest, limits: EnvelopeLimits): string {
  if (parent !== undefined && isSoundBeside(envelope, parent, limits)) {
    const bytes = JSON.stringify(envelope);
    if (bytes.length < limits.keysMax * FIELD_CHARS_MIN) return bytes;
  }
  checkEnvelope(envelope);
  checkValue(envelope, limits);
  return JSON.stringify(envelope);
}

/** Fast path that checks what an author may have written. False is inconclusive: the full check locates the fault. */
function isSoundBeside(envelope: Envelope, parent: Envelope, limits: EnvelopeLimits): boolean {
  const { handoff_type, reason, expected_output, capabilities_required } = envelope.meta;
  return (
    isPlainAuthor({ handoff_type, reason, expected_output, capabilities_required }) &&
    envelope.user_context === parent.user_context &&
    envelope.task_context === parent.task_context &&
    (envelope.conversation === parent.conversation || isEmpty(envelope.conversation)) &&
    // A handler may have changed its input payload in place.
    envelope.data_payload !== undefined &&
    isWithinBounds(envelope.data_payload, limits)
  );
}

/** Returns true for the defaults of `createNext`. */
function isPlainAuthor(
  own: Pick<Envelope["meta"], "handoff_type" | "reason" | "expected_output" | "capabilities_required">,
): boolean {
  return (
    own.handoff_type === "task_delegation" &&
    own.reason === "" &&
    own.expected_output === null &&
    own.capabilities_required.length === 0
  );
}

function isEmpty({ history, tool_state, metadata }: Conversation): boolean {
  return history.length === 0 && Object.keys(tool_state).length + Object.keys(metadata).length === 0;
}

/**
 * Seals an envelope for one queue: one signature over its JSON, the queue and the message id. Compresses large text.
 * @throws {EnvelopeInvalidError} Not an envelope, or one that contradicts itself or the queue.
 * @throws {JsonBoundError} A field is not plain JSON, too long, too deep, or holds base64 content.
 * @throws {EnvelopeTooLargeError} {SigningKeyMissingError} The key is verify-only, or of another edge.
 */
export function seal(request: SealRequest): Sealed {
  const limits = { ...ENVELOPE_LIMITS_DEFAULT, ...request.limits };
  const { envelope, queue, key } = request;
  const bytes = checkAndWrite(request, limits);
  checkForSealing(request);
  const message = sealBytes({ bytes, queue, id: envelope.meta.message_id, key, limits });
  return {
    message,
    bytes,
    // Computed on demand: only needed if a child is made at once.
    get digest() {
      return digestOf(bytes);
    },
  };
}

/**
 * Seals a text for one queue and one id: an envelope, or a dead message's admission. Compresses large text.
 * @param asked.queue - The receiver's name. @param asked.id - The job's id, or the record's.
 * @throws {EnvelopeTooLargeError} More than `envelopeBytesMax`. {SigningKeyMissingError} The key is verify-only.
 */
export function sealBytes(asked: {
  readonly bytes: string;
  readonly queue: string;
  readonly id: string;
  readonly key: EnvelopeKey;
  readonly limits?: Partial<EnvelopeLimits>;
}): SealedMessage {
  const limits = { ...ENVELOPE_LIMITS_DEFAULT, ...asked.limits };
  const { bytes, queue, id, key } = asked;
  const size = Buffer.byteLength(bytes);
  if (size > limits.envelopeBytesMax) throw new EnvelopeTooLargeError(limits.envelopeBytesMax);
  const isPacked = size > limits.plainBytesMax;
  const sealed = isPacked ? gzipSync(bytes).toString("base64") : bytes;
  const value = signParts(key, {
    queue,
    jobId: id,
    encoding: isPacked ? "gzip" : "",
    sealedDigest: digestOf(sealed),
  });
  if (value === undefined) throw new SigningKeyMissingError(key);
  return {
    sealed,
    seal: { alg: "HS256", key_id: key.key_id, value },
    attempt: 0,
    ...(isPacked ? { encoding: "gzip" as const } : {}),
  };
}

/** Returns the seal of a stored message. @param messageId - Its job's id. */
export function originalSealOf(message: SealedMessage, messageId: string): OriginalSeal {
  const { encoding = "" } = message;
  return { message_id: messageId, ...message.seal, encoding, sealed_digest: digestOf(message.sealed) };
}

/** Verifies a seal; returns its edge's key. @throws {UnknownKeyError | SignatureMismatchError} No key; not its. */
export function verifyOriginalSeal(original: OriginalSeal, keyring: Keyring): EnvelopeKey {
  const { message_id: jobId, key_id, value, encoding, sealed_digest: sealedDigest } = original;
  const key = keyring.find(key_id);
  if (key === undefined) throw new UnknownKeyError();
  verifySignature(key, value, { queue: key.to, jobId, encoding, sealedDigest });
  return key;
}

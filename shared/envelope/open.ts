import { gunzipSync } from "node:zlib";
import { ENVELOPE_LIMITS_DEFAULT } from "./bounds.ts";
import type { EnvelopeLimits } from "./bounds.ts";
import type { Envelope } from "./envelope.ts";
import {
  EdgeMismatchError,
  EnvelopeTooLargeError,
  MessageIdMismatchError,
  PathMismatchError,
  SealMalformedError,
  SignatureMismatchError,
  UnknownKeyError,
} from "./errors.ts";
import type { EnvelopeKey, Keyring } from "./keyring.ts";
import { agentNameOf, findContradiction } from "./path.ts";
import { decodeText, digestOf, readEnvelope } from "./read-envelope.ts";
import { readSealedMessage } from "./sealed-message.ts";
import type { SealedMessage } from "./sealed-message.ts";
import { baseQueue, isSignatureOf } from "./signature.ts";

export interface OpenRequest {
  /** The job's data, of any shape. */
  readonly message: unknown;
  /** The queue it was found in: the agent's own or its retry queue. */
  readonly queue: string;
  readonly jobId: string;
  readonly keyring: Keyring;
  /** Bounds that differ from `ENVELOPE_LIMITS_DEFAULT`. */
  readonly limits?: Partial<EnvelopeLimits>;
}

export interface Opened {
  readonly envelope: Envelope;
  /** The envelope's exact JSON text, as sealed; of the schema it was sealed in. */
  readonly bytes: string;
  /** SHA-256 of `bytes`, hex. */
  readonly digest: string;
  /** The key it was sealed with. */
  readonly key: EnvelopeKey;
}

/**
 * Opens a stored job. Verifies first, with the algorithm of the key's own record; nothing is unpacked or parsed before.
 *
 * @throws {UntrustedMessageError} No sealed message, an unknown key, another signature, queue, job id or edge, or an
 * envelope that contradicts itself. Its subclasses say which.
 * @throws {JsonSyntaxError | JsonBoundError | EnvelopeTooLargeError | EnvelopeInvalidError} Truly from its sender, and bad.
 * @throws {EnvelopeVersionUnsupportedError} Truly from its sender, which is newer than this worker.
 */
export function open(request: OpenRequest): Opened {
  const { queue, jobId } = request;
  const limits = { ...ENVELOPE_LIMITS_DEFAULT, ...request.limits };
  const message = readSealedMessage(request.message, limits.envelopeBytesMax);
  const key = verifySeal(message, request);
  const bytes = message.encoding === "gzip" ? unpack(message.sealed, limits.envelopeBytesMax) : message.sealed;
  const envelope = readEnvelope(bytes, limits);
  checkOrigin(envelope, key, jobId);
  return { envelope, bytes, digest: digestOf(bytes), key };
}

function verifySeal(message: SealedMessage, { queue, jobId, keyring }: OpenRequest): EnvelopeKey {
  const { sealed, seal, encoding = "" } = message;
  const key = keyring.find(seal.key_id);
  if (key === undefined) throw new UnknownKeyError();
  // What the message says about the algorithm chooses nothing; that it says otherwise is reason enough to refuse.
  const isGenuine = seal.alg === key.alg && isSignatureOf(key, { queue, jobId, encoding, sealed }, seal.value);
  if (!isGenuine) throw new SignatureMismatchError(key.key_id);
  // A process that serves several agents holds all their keys; each opens only its own agent's queue.
  if (key.to !== baseQueue(queue)) throw new EdgeMismatchError(key.key_id, "/meta/target_agent");
  return key;
}

/** At most `bytesMax` bytes come out, whatever went in. */
function unpack(sealed: string, bytesMax: number): string {
  const packed = Buffer.from(sealed, "base64");
  if (packed.toString("base64") !== sealed) throw new SealMalformedError("its gzip is not canonical base64");
  return decodeText(gunzip(packed, bytesMax));
}

function gunzip(packed: Buffer, bytesMax: number): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength: bytesMax });
  } catch (cause) {
    const isTooLarge = cause instanceof RangeError && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE";
    if (isTooLarge) throw new EnvelopeTooLargeError(bytesMax);
    throw new SealMalformedError("its gzip cannot be unpacked");
  }
}

/** A genuine signature proves which key signed; the envelope must not claim to be of anyone or anywhere else. */
function checkOrigin(envelope: Envelope, key: EnvelopeKey, jobId: string): void {
  const { message_id, source_agent, target_agent } = envelope.meta;
  if (message_id !== jobId) throw new MessageIdMismatchError();
  if (agentNameOf(source_agent) !== key.from) throw new EdgeMismatchError(key.key_id, "/meta/source_agent");
  if (agentNameOf(target_agent) !== key.to) throw new EdgeMismatchError(key.key_id, "/meta/target_agent");
  const contradiction = findContradiction(envelope);
  if (contradiction !== undefined) throw new PathMismatchError(contradiction.path, contradiction.problem);
}

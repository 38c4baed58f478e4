import { gunzipSync } from "node:zlib";
import { agentNameOf, findContradiction } from "../path.ts";
import { ENVELOPE_LIMITS_DEFAULT } from "../bounds.ts";
import type { Envelope } from "../envelope.ts";
import type { EnvelopeLimits } from "../bounds.ts";
import {
  EdgeMismatchError,
  EnvelopeTooLargeError,
  MessageIdMismatchError,
  PathMismatchError,
  SealMalformedError,
  UnknownKeyError,
} from "../errors.ts";
import type { EnvelopeKey, Keyring } from "../keys/keyring.ts";
import { decodeText, readEnvelope } from "../read-envelope.ts";
import { baseQueue, digestOf, verifySignature } from "./signature.ts";
import { readSealedMessage } from "./sealed-message.ts";
import type { SealedMessage } from "./sealed-message.ts";

interface Opened {
  readonly envelope: Envelope;
  /** The envelope's exact JSON text as sealed, in the schema version it was sealed in. */
  readonly bytes: string;
  /** SHA-256 of `bytes`, in hex. */
  readonly digest: string;
  /** Key that it was sealed with. */
  readonly key: EnvelopeKey;
}

/**
 * Opens a sealed message: verifies it before anything is decompressed or parsed.
 * @throws {UntrustedMessageError} Its subclasses say why: no seal, key, signature, queue, job id, edge, contradiction.
 * @throws {JsonSyntaxError | JsonBoundError | EnvelopeTooLargeError | EnvelopeInvalidError} Genuine, but malformed.
 * @throws {EnvelopeVersionUnsupportedError} Genuine, but from a newer release.
 */
export function open(request: OpenRequest): Opened {
  const { bytes, digest, key } = openBytes(request);
  const envelope = readEnvelope(bytes, request.limits);
  checkOrigin(envelope, { key, jobId: request.jobId });
  return { envelope, bytes, digest, key };
}

/** The signature proves which key signed; sender and receiver in the envelope must match that key. */
function checkOrigin(
  envelope: Envelope,
  { key, jobId }: { readonly key: EnvelopeKey; readonly jobId: string },
): void {
  const { message_id, source_agent, target_agent } = envelope.meta;
  if (message_id !== jobId) throw new MessageIdMismatchError();
  if (agentNameOf(source_agent) !== key.from) throw new EdgeMismatchError(key.key_id, "/meta/source_agent");
  if (agentNameOf(target_agent) !== key.to) throw new EdgeMismatchError(key.key_id, "/meta/target_agent");
  const contradiction = findContradiction(envelope);
  if (contradiction !== undefined) throw new PathMismatchError(contradiction.path, contradiction.problem);
}

interface OpenRequest {
  /** The job's data, unchecked. */
  readonly message: unknown;
  /** The queue it was found in: the agent's own or its retry queue. */
  readonly queue: string;
  readonly jobId: string;
  readonly keyring: Keyring;
  /** Bounds that differ from `ENVELOPE_LIMITS_DEFAULT`. */
  readonly limits?: Partial<EnvelopeLimits>;
}

interface OpenedBytes {
  /** The exact text as sealed. Not parsed. */
  readonly bytes: string;
  /** SHA-256 of `bytes`, in hex. */
  readonly digest: string;
  /** Key that it was sealed with. */
  readonly key: EnvelopeKey;
}

/** Verifies, then decompresses. @throws {UntrustedMessageError | EnvelopeTooLargeError | JsonSyntaxError} */
export function openBytes(request: OpenRequest): OpenedBytes {
  const { envelopeBytesMax } = { ...ENVELOPE_LIMITS_DEFAULT, ...request.limits };
  const message = readSealedMessage(request.message, envelopeBytesMax);
  const sealedDigest = digestOf(message.sealed);
  const key = verifySeal(message, sealedDigest, request);
  if (message.encoding === undefined) return { bytes: message.sealed, digest: sealedDigest, key };
  const bytes = unpackText(message, envelopeBytesMax);
  return { bytes, digest: digestOf(bytes), key };
}

function verifySeal(
  message: SealedMessage,
  sealedDigest: string,
  { queue, jobId, keyring }: OpenRequest,
): EnvelopeKey {
  const { seal, encoding = "" } = message;
  const key = keyring.find(seal.key_id);
  if (key === undefined) throw new UnknownKeyError();
  verifySignature(key, seal.value, { queue, jobId, encoding, sealedDigest });
  // A process that serves several agents has all their keys; each may open only its own agent's queue.
  if (key.to !== baseQueue(queue)) throw new EdgeMismatchError(key.key_id, "/meta/target_agent");
  return key;
}

/** Text as a job or a case holds it. */
interface PackedText {
  /** The text itself, or with `encoding` gzip the base64 of its compressed bytes. */
  readonly sealed: string;
  /** Undefined: the text is not packed. */
  readonly encoding?: unknown;
}

/**
 * Unpacks a sealed text: at most `bytesMax` bytes, whatever went in. @throws {JsonSyntaxError} It is not UTF-8.
 * @throws {SealMalformedError} Unknown encoding, or damaged base64 or gzip. {EnvelopeTooLargeError}
 */
export function unpackText({ sealed, encoding }: PackedText, bytesMax: number): string {
  if (encoding === undefined) return sealed;
  if (encoding !== "gzip") throw new SealMalformedError("its encoding is neither gzip nor none");
  const packed = Buffer.from(sealed, "base64");
  if (packed.toString("base64") !== sealed) throw new SealMalformedError("its gzip is not canonical base64");
  return decodeText(gunzip(packed, bytesMax));
}

function gunzip(packed: Buffer, bytesMax: number): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength: bytesMax });
  } catch (cause) {
    const isTooLarge =
      cause instanceof RangeError && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE";
    if (isTooLarge) throw new EnvelopeTooLargeError(bytesMax);
    throw new SealMalformedError("its gzip cannot be unpacked");
  }
}

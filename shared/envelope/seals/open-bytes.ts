import { ENVELOPE_LIMITS_DEFAULT } from "../bounds.ts";
import type { EnvelopeLimits } from "../bounds.ts";
import { digestOf } from "./digest-of.ts";
import { EdgeMismatchError, UnknownKeyError } from "../errors.ts";
import type { EnvelopeKey, Keyring } from "../keys/keyring.ts";
import { readSealedMessage } from "./sealed-message.ts";
import type { SealedMessage } from "./sealed-message.ts";
import { baseQueue, verifySignature } from "./signature.ts";
import { unpackText } from "./unpack-text.ts";

export interface OpenRequest {
  /** The job's data, unchecked. */
  readonly message: unknown;
  /** The queue it was found in: the agent's own or its retry queue. */
  readonly queue: string;
  readonly jobId: string;
  readonly keyring: Keyring;
  /** Bounds that differ from `ENVELOPE_LIMITS_DEFAULT`. */
  readonly limits?: Partial<EnvelopeLimits>;
}

export interface OpenedBytes {
  /** The exact text as sealed. Not parsed. */
  readonly bytes: string;
  /** SHA-256 of `bytes`, in hex. */
  readonly digest: string;
  /** Key that it was sealed with. */
  readonly key: EnvelopeKey;
}

/**
 * Verifies and decompresses what `sealBytes` or `seal` made, without parsing it. The algorithm is that of the key's
 * own record, and nothing is decompressed before the signature is verified.
 *
 * @throws {UntrustedMessageError} Not a sealed message, an unknown key, or another signature, queue or job id.
 * @throws {EnvelopeTooLargeError} The decompressed text exceeds `envelopeBytesMax`.
 * @throws {JsonSyntaxError} The text is not UTF-8.
 */
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
  verifySignature(key, seal, { queue, jobId, encoding, sealedDigest });
  // A process that serves several agents has all their keys; each may open only its own agent's queue.
  if (key.to !== baseQueue(queue)) throw new EdgeMismatchError(key.key_id, "/meta/target_agent");
  return key;
}

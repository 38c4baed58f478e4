import { gzipSync } from "node:zlib";
import { ENVELOPE_LIMITS_DEFAULT } from "../bounds.ts";
import type { EnvelopeLimits } from "../bounds.ts";
import { digestOf } from "./digest-of.ts";
import { EnvelopeTooLargeError, SigningKeyMissingError } from "../errors.ts";
import type { EnvelopeKey } from "../keys/keyring.ts";
import type { SealedMessage } from "./sealed-message.ts";
import { signParts } from "./signature.ts";

/**
 * Seals a text for one queue and one id: an envelope, or a dead message's admission to the ward. Compresses text
 * above `plainBytesMax` with gzip.
 *
 * @param asked.queue - The receiver's name.
 * @param asked.id - The job's id, or the record's.
 * @throws {EnvelopeTooLargeError} More than `envelopeBytesMax`.
 * @throws {SigningKeyMissingError} The key is verify-only.
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
    seal: { alg: key.alg, key_id: key.key_id, value },
    attempt: 0,
    ...(isPacked ? { encoding: "gzip" as const } : {}),
  };
}

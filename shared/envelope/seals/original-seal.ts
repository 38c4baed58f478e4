import { z } from "zod";
import { digestOf } from "./digest-of.ts";
import { UnknownKeyError } from "../errors.ts";
import type { EnvelopeKey, Keyring } from "../keys/keyring.ts";
import type { SealedMessage } from "./sealed-message.ts";
import { verifySignature } from "./signature.ts";

/**
 * The original seal of a message, made by an agent or the gateway, without the message. It signs the message's
 * digest, so it can be verified with the edge's key without the text.
 */
export const originalSealSchema = z.strictObject({
  message_id: z.string().max(64),
  alg: z.enum(["HS256", "EdDSA"]),
  key_id: z.string().max(256),
  /** base64url without padding. */
  value: z.string().max(256),
  /** "" for plain text. */
  encoding: z.enum(["", "gzip"]),
  /** SHA-256 of the sealed text as stored, in hex. With `encoding` "" it is the envelope's digest. */
  sealed_digest: z.string().regex(/^[0-9a-f]{64}$/),
});

export type OriginalSeal = z.output<typeof originalSealSchema>;

/** Returns the seal of a stored message. @param messageId - Its job's id. */
export function originalSealOf(message: SealedMessage, messageId: string): OriginalSeal {
  const { seal, sealed, encoding = "" } = message;
  return { message_id: messageId, ...seal, encoding, sealed_digest: digestOf(sealed) };
}

/**
 * Verifies an original seal and returns its key, which names the edge.
 *
 * @throws {UnknownKeyError} The keyring lacks its key.
 * @throws {SealAlgorithmError
 * SignatureMismatchError} That key did not make it.
 */
export function verifyOriginalSeal(original: OriginalSeal, keyring: Keyring): EnvelopeKey {
  const { message_id: jobId, alg, key_id, value, encoding, sealed_digest: sealedDigest } = original;
  const key = keyring.find(key_id);
  if (key === undefined) throw new UnknownKeyError();
  verifySignature(key, { alg, value }, { queue: key.to, jobId, encoding, sealedDigest });
  return key;
}

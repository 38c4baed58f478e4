import { createHmac, sign, timingSafeEqual, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { SealAlgorithmError, SignatureMismatchError } from "../errors.ts";
import type { EnvelopeKey } from "../keys/keyring.ts";

/** Everything that a signature covers. */
export interface SignedParts {
  /** The receiver's name. */
  readonly queue: string;
  readonly jobId: string;
  /** "" for plain text. */
  readonly encoding: string;
  /** SHA-256 of the sealed text as stored, in hex. */
  readonly sealedDigest: string;
}

/** Domain separation: these signatures are valid nowhere else. */
const DOMAIN = "suture.handoff.v2\n";

/** Signature lengths of HMAC-SHA-256 and Ed25519, in base64url without padding. */
const VALUE_CHARS = { HS256: 43, EdDSA: 86 } as const;

const RETRY_SUFFIX = ".retry";

/** Returns the receiver's name for both of its queues. */
export function baseQueue(queue: string): string {
  return queue.endsWith(RETRY_SUFFIX) ? queue.slice(0, -RETRY_SUFFIX.length) : queue;
}

/**
 * Returns the signed text. Length-prefixed, so that different parts never give the same text. The caller has checked
 * that the parts are well-formed. The sealed text is included by its digest, so that a large text is hashed once.
 */
function signedText({ queue, jobId, encoding, sealedDigest }: SignedParts): string {
  const field = (text: string): string => `${Buffer.byteLength(text)}:${text};`;
  return `${DOMAIN}${field(baseQueue(queue))}${field(jobId)}${field(encoding)}${sealedDigest}`;
}

function hmacOf(key: KeyObject, parts: SignedParts): string {
  return createHmac("sha256", key).update(signedText(parts)).digest("base64url");
}

/** Returns the signature of the parts, or undefined if the key must not sign. */
export function signParts(key: EnvelopeKey, parts: SignedParts): string | undefined {
  if (key.signing === undefined) return undefined;
  if (key.alg === "HS256") return hmacOf(key.signing, parts);
  return sign(null, Buffer.from(signedText(parts)), key.signing).toString("base64url");
}

/**
 * Verifies a seal with the algorithm of the key's own record. The algorithm named in the seal never selects one, but
 * must agree.
 *
 * @throws {SealAlgorithmError} The seal names another algorithm than the key's.
 * @throws {SignatureMismatchError}
 */
export function verifySignature(
  key: EnvelopeKey,
  seal: { readonly alg: string; readonly value: string },
  parts: SignedParts,
): void {
  if (seal.alg !== key.alg) throw new SealAlgorithmError(key);
  if (!isSignatureOf(key, seal.value, parts)) throw new SignatureMismatchError(key.key_id);
}

/** Returns true if `value` is the signature of the parts. Constant time; accepts only the canonical encoding. */
function isSignatureOf(key: EnvelopeKey, value: string, parts: SignedParts): boolean {
  if (value.length !== VALUE_CHARS[key.alg]) return false;
  if (key.alg === "HS256") {
    // Compared as encoded text, so that only the canonical encoding passes; both have the same length.
    const expected = Buffer.from(hmacOf(key.verifying, parts), "latin1");
    const given = Buffer.from(value, "utf8");
    return expected.length === given.length && timingSafeEqual(expected, given);
  }
  const given = Buffer.from(value, "base64url");
  if (given.toString("base64url") !== value) return false;
  return verify(null, Buffer.from(signedText(parts)), key.verifying, given);
}

import { createHmac, hash, timingSafeEqual } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { SignatureMismatchError } from "../errors.ts";
import type { EnvelopeKey } from "../keys/keyring.ts";

/** Everything that a signature covers. */
interface SignedParts {
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
  return key.signing === undefined ? undefined : hmacOf(key.signing, parts);
}

/** Verifies a signature in constant time; takes the canonical encoding only. @throws {SignatureMismatchError} */
export function verifySignature(key: EnvelopeKey, value: string, parts: SignedParts): void {
  // Compared as encoded text, so that only the canonical encoding passes.
  const expected = Buffer.from(hmacOf(key.verifying, parts), "latin1");
  const given = Buffer.from(value, "utf8");
  if (expected.length !== given.length || !timingSafeEqual(expected, given))
    throw new SignatureMismatchError(key.key_id);
}

/** Returns the SHA-256 of a text in UTF-8, in hex. Children carry their parent's as `parent_digest`. */
export function digestOf(text: string): string {
  return hash("sha256", text, "hex");
}

import { createHmac, sign, timingSafeEqual, verify } from "node:crypto";
import type { EnvelopeKey } from "./keyring.ts";

/** Everything that one signature covers. Text fields; `sealed` as it is stored. */
export interface SignedParts {
  /** The receiver's name. */
  readonly queue: string;
  readonly jobId: string;
  /** "" for plain text. */
  readonly encoding: string;
  readonly sealed: string;
}

/** Keeps these signatures from meaning anything anywhere else. */
const DOMAIN = "suture.handoff.v1\n";

/** HMAC-SHA-256 and Ed25519, base64url without padding. */
const VALUE_CHARS = { HS256: 43, EdDSA: 86 } as const;

const RETRY_SUFFIX = ".retry";

/** The receiver's name for both of its queues. */
export function baseQueue(queue: string): string {
  return queue.endsWith(RETRY_SUFFIX) ? queue.slice(0, -RETRY_SUFFIX.length) : queue;
}

/**
 * Length-prefixed, so that no two sets of parts give the same text. The caller has seen that the parts are
 * well-formed.
 */
function signedText({ queue, jobId, encoding, sealed }: SignedParts): string {
  const field = (text: string): string => `${Buffer.byteLength(text)}:${text};`;
  return `${DOMAIN}${field(baseQueue(queue))}${field(jobId)}${field(encoding)}${Buffer.byteLength(sealed)}:${sealed}`;
}

/** The signature of the parts, or undefined where the key may not sign. */
export function signParts(key: EnvelopeKey, parts: SignedParts): string | undefined {
  if (key.signing === undefined) return undefined;
  const text = signedText(parts);
  if (key.alg === "HS256") return createHmac("sha256", key.signing).update(text).digest("base64url");
  return sign(null, Buffer.from(text), key.signing).toString("base64url");
}

/** Whether `value` is the signature of the parts. Constant time; only the one canonical writing of a value passes. */
export function isSignatureOf(key: EnvelopeKey, parts: SignedParts & { readonly value: string }): boolean {
  const { value } = parts;
  if (value.length !== VALUE_CHARS[key.alg]) return false;
  const given = Buffer.from(value, "base64url");
  if (given.toString("base64url") !== value) return false;
  const text = signedText(parts);
  if (key.alg === "EdDSA") return verify(null, Buffer.from(text), key.verifying, given);
  const expected = createHmac("sha256", key.verifying).update(text).digest();
  return expected.length === given.length && timingSafeEqual(expected, given);
}

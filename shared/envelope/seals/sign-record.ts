import { createHmac, hash, sign, timingSafeEqual, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import {
  SealAlgorithmError,
  SealMalformedError,
  SignatureMismatchError,
  SigningKeyMissingError,
  UnknownKeyError,
} from "../errors.ts";
import type { EnvelopeKey, Keyring } from "../keys/keyring.ts";
import type { SealAlgorithm } from "./sealed-message.ts";

/** Key id and signature of a record. */
export interface RecordSeal {
  readonly alg: SealAlgorithm;
  readonly key_id: string;
  /** base64url without padding. */
  readonly value: string;
}

/** A readable record with a seal that covers all its other fields. */
export type SignedRecord<Fields extends object> = Fields & { readonly seal: RecordSeal };

/** Purpose of a record: a signature is valid for one purpose only. Contains no slash. */
type RecordPurpose = string;

/**
 * Signs a record that is stored as readable JSON: its fields, in order, with `seal` beside them.
 *
 * @param fields - JSON values without a field called `seal`.
 * @throws {SigningKeyMissingError} The key is verify-only.
 */
export function signRecord<Fields extends object>(
  fields: Fields,
  { key, purpose }: { readonly key: EnvelopeKey; readonly purpose: RecordPurpose },
): SignedRecord<Fields> {
  const value = signParts(key, partsOf(fields, purpose, key));
  if (value === undefined) throw new SigningKeyMissingError(key);
  return { ...fields, seal: { alg: key.alg, key_id: key.key_id, value } };
}

/**
 * Verifies a record that `signRecord` made, after parsing. Returns only the signed fields.
 *
 * @param how.from - Allowed signers, names without versions.
 * @param how.to - Addressee of the record.
 * @throws {UntrustedMessageError} Not a signed record, an unknown key, another signer, or changed fields.
 */
export function verifyRecord(
  record: unknown,
  how: {
    readonly keyring: Keyring;
    readonly purpose: RecordPurpose;
    readonly from: readonly string[];
    readonly to: string;
  },
): Readonly<Record<string, unknown>> {
  const { seal, fields } = split(record);
  const key = how.keyring.find(seal.key_id);
  if (key === undefined) throw new UnknownKeyError();
  if (key.to !== how.to || !how.from.includes(key.from)) throw new SignatureMismatchError(key.key_id);
  verifySignature(key, seal, partsOf(fields, how.purpose, key));
  return fields;
}

/** No queue name contains a slash, so neither a message nor an admission can pass as a record. */
function partsOf(fields: object, purpose: RecordPurpose, { to }: EnvelopeKey) {
  return {
    queue: `${to}/${purpose}`,
    jobId: "",
    encoding: "",
    sealedDigest: digestOf(JSON.stringify(fields)),
  };
}

function split(record: unknown): { readonly seal: RecordSeal; readonly fields: Record<string, unknown> } {
  if (typeof record !== "object" || record === null || !("seal" in record))
    throw new SealMalformedError("nobody has signed it");
  const { seal, ...fields } = record;
  if (!isSeal(seal)) throw new SealMalformedError("its seal is missing or of the wrong kind");
  return { seal, fields };
}

function isSeal(value: unknown): value is RecordSeal {
  if (typeof value !== "object" || value === null) return false;
  const { alg, key_id, value: text } = value as Partial<Record<keyof RecordSeal, unknown>>;
  return typeof alg === "string" && typeof key_id === "string" && typeof text === "string";
}

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

/**
 * Returns the SHA-256 of a text's UTF-8 bytes in hex. Children carry that of their parent's JSON text as
 * `parent_digest`.
 */
export function digestOf(text: string): string {
  return hash("sha256", text, "hex");
}

import { digestOf } from "./digest-of.ts";
import {
  SealMalformedError,
  SignatureMismatchError,
  SigningKeyMissingError,
  UnknownKeyError,
} from "../errors.ts";
import type { EnvelopeKey, Keyring } from "../keys/keyring.ts";
import type { SealAlgorithm } from "./sealed-message.ts";
import { signParts, verifySignature } from "./signature.ts";

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
export type RecordPurpose = string;

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

import { createPrivateKey, createPublicKey, createSecretKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { z } from "zod";
import { KeyringInvalidError, SigningKeyMissingError } from "../errors.ts";
import { keyRecordSchema } from "./key-record.ts";
import type { EdgeKeyPairRecord, KeyRecord } from "./key-record.ts";
import { parseJson } from "../json/parse-json.ts";
import type { SealAlgorithm } from "../seals/sealed-message.ts";

/**
 * A usable key. Its material is a KeyObject: imported once, which makes signing four times faster, and never printed.
 */
export interface EnvelopeKey {
  readonly key_id: string;
  readonly alg: SealAlgorithm;
  /** Agent names without version. */
  readonly from: string;
  readonly to: string;
  readonly verifying: KeyObject;
  /** Undefined for a verify-only key. */
  readonly signing: KeyObject | undefined;
}

const KEYS_MAX = 10_000;
const keyFileSchema = z.strictObject({ version: z.literal(1), keys: z.array(keyRecordSchema).max(KEYS_MAX) });

/**
 * Keys of one process. Several generations of an edge can verify at once, so that key rotation needs no downtime; the
 * newest one that may sign signs. Records and secrets are private fields, so that no log line can show them.
 */
export class Keyring {
  #records = new Map<string, KeyRecord>();
  #keys = new Map<string, EnvelopeKey>();
  #signing = new Map<string, EnvelopeKey>();

  /**
   * @throws {KeyringInvalidError} Two different keys share an id, an id does not fit its edge, or a key cannot be
   * imported.
   */
  constructor(records: readonly KeyRecord[]) {
    for (const record of records) this.#add(record);
  }

  /**
   * Reads a key file as `exportJson` and `suture keys issue` write it.
   *
   * @param json - The file's text, or its parsed value.
   * @throws {KeyringInvalidError}
   */
  static fromJson(json: unknown): Keyring {
    const parsed = keyFileSchema.safeParse(typeof json === "string" ? parseText(json) : json);
    if (parsed.success) return new Keyring(parsed.data.keys);
    // Reports only the places, so that no key material can get into a message.
    const places = parsed.error.issues.slice(0, 5).map((issue) => issue.path.join(".") || "the file");
    throw new KeyringInvalidError(`it is wrong at ${places.join(", ")}`);
  }

  /** Merges the keys of several agents that share a process; a signing key wins over a verify-only one. */
  static merge(keyrings: readonly Keyring[]): Keyring {
    return new Keyring(keyrings.flatMap((keyring) => [...keyring.#records.values()]));
  }

  /** Returns the key that seals messages on an edge. @throws {SigningKeyMissingError} */
  signing(from: string, to: string): EnvelopeKey {
    const key = this.#signing.get(edgeName(from, to));
    if (key === undefined) throw new SigningKeyMissingError({ from, to });
    return key;
  }

  /** Returns true if messages can be sealed on an edge. */
  canSign(from: string, to: string): boolean {
    return this.#signing.has(edgeName(from, to));
  }

  /** Returns true if messages from an edge can be verified. */
  canVerify(from: string, to: string): boolean {
    return [...this.#keys.values()].some((key) => key.from === from && key.to === to);
  }

  find(keyId: string): EnvelopeKey | undefined {
    return this.#keys.get(keyId);
  }

  /**
   * Replaces all keys by those of another keyring, atomically: holders of this object use them from the next message
   * on.
   */
  replaceWith(other: Keyring): void {
    this.#records = other.#records;
    this.#keys = other.#keys;
    this.#signing = other.#signing;
  }

  /** Returns the agents that it signs for, and the generations of its keys, lowest first. Contains no secret. */
  describe(): { readonly senders: string[]; readonly signing: number[]; readonly verifying: number[] } {
    const inOrder = (keys: Iterable<EnvelopeKey>): number[] =>
      [...new Set([...keys].map(generationOf))].toSorted((one, other) => one - other);
    return {
      senders: [...new Set([...this.#signing.values()].map(({ from }) => from))],
      signing: inOrder(this.#signing.values()),
      verifying: inOrder(this.#keys.values()),
    };
  }

  /** Returns all keys as a key file, including secrets. */
  exportJson(): string {
    return JSON.stringify({ version: 1, keys: [...this.#records.values()] }, null, 2);
  }

  /** Returns the public halves of the key pairs as a key file, which verifies, signs nothing and holds no secret. */
  exportPublicJson(): string {
    const pairs = [...this.#records.values()].filter((record) => record.alg === "EdDSA");
    const keys = pairs.map(({ private: _kept, ...shared }) => ({ ...shared, use: "verify" }));
    return JSON.stringify({ version: 1, keys });
  }

  #add(record: KeyRecord): void {
    const generation = generationOf(record);
    const present = this.#records.get(record.key_id);
    if (present !== undefined && !isSameKey(present, record)) {
      throw new KeyringInvalidError(`two different keys are called ${record.key_id}`);
    }
    if (present?.use === "sign_verify") return;
    const key = importKey(record);
    this.#records.set(record.key_id, record);
    this.#keys.set(record.key_id, key);
    if (key.signing === undefined) return;
    const edge = edgeName(record.from, record.to);
    const newest = this.#signing.get(edge);
    if (newest === undefined || generationOf(newest) < generation) this.#signing.set(edge, key);
  }
}

function edgeName(from: string, to: string): string {
  return `${from}>${to}`;
}

/** Returns the generation at the end of `from>to#generation`; the id must match the edge. */
function generationOf(key: { readonly key_id: string; readonly from: string; readonly to: string }): number {
  const [edge, generation, ...rest] = key.key_id.split("#");
  if (edge !== edgeName(key.from, key.to) || rest.length > 0 || !/^[1-9]\d{0,8}$/.test(generation ?? "")) {
    throw new KeyringInvalidError(`the id of a key from ${key.from} to ${key.to} is not from>to#generation`);
  }
  return Number(generation);
}

function isSameKey(one: KeyRecord, other: KeyRecord): boolean {
  if (one.alg === "HS256") return other.alg === "HS256" && one.secret === other.secret;
  return other.alg === "EdDSA" && one.public === other.public;
}

function parseText(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    // The engine's message may quote the text, which holds secrets.
    throw new KeyringInvalidError("it is not JSON, or has a name twice");
  }
}

function importKey(record: KeyRecord): EnvelopeKey {
  const { key_id, alg, from, to } = record;
  const isSigning = record.use === "sign_verify";
  if (record.alg === "HS256") {
    const bytes = Buffer.from(record.secret, "base64url");
    if (bytes.length !== 32) throw new KeyringInvalidError(`the secret of ${key_id} is not 32 bytes`);
    const secret = createSecretKey(bytes);
    return { key_id, alg, from, to, verifying: secret, signing: isSigning ? secret : undefined };
  }
  return { key_id, alg, from, to, ...importKeyPair(record, isSigning) };
}

function importKeyPair(
  record: EdgeKeyPairRecord,
  isSigning: boolean,
): Pick<EnvelopeKey, "verifying" | "signing"> {
  if (isSigning && record.private === undefined) {
    throw new KeyringInvalidError(`${record.key_id} may sign but has no private key`);
  }
  const jwk = { kty: "OKP", crv: "Ed25519", x: record.public };
  try {
    const verifying = createPublicKey({ key: jwk, format: "jwk" });
    if (!isSigning || record.private === undefined) return { verifying, signing: undefined };
    const signing = createPrivateKey({ key: { ...jwk, d: record.private }, format: "jwk" });
    // The import does not compare the two halves; signatures of a mismatched pair would never verify.
    if (createPublicKey(signing).export({ format: "jwk" }).x !== record.public)
      throw new RangeError("foreign half");
    return { verifying, signing };
  } catch {
    throw new KeyringInvalidError(`the halves of ${record.key_id} are not one Ed25519 key pair`);
  }
}

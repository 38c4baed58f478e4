import { createSecretKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { z } from "zod";
import { KeyringInvalidError, SigningKeyMissingError } from "../errors.ts";
import { parseJson } from "../json/parse-bounded.ts";

/** A usable key. Its material is a KeyObject: imported once, so that signing is four times faster, never printed. */
export interface EnvelopeKey {
  readonly key_id: string;
  /** Agent names without version. */
  readonly from: string;
  readonly to: string;
  readonly verifying: KeyObject;
  /** Undefined for a verify-only key. */
  readonly signing: KeyObject | undefined;
}

const KEYS_MAX = 10_000;

/**
 * Keys of one process. Several generations of an edge can verify at once, so that key rotation needs no downtime; the
 * newest one that may sign signs. Records and secrets are private fields, so that no log line can show them.
 */
export class Keyring {
  #records = new Map<string, KeyRecord>();
  #keys = new Map<string, EnvelopeKey>();
  #signing = new Map<string, EnvelopeKey>();

  /** @throws {KeyringInvalidError} Two keys share an id, an id does not fit its edge, or a key cannot be imported. */
  constructor(records: readonly KeyRecord[]) {
    for (const record of records) this.#add(record);
  }

  /** Reads a key file as `exportJson` writes it, as text or parsed value. @throws {KeyringInvalidError} */
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

  /** Replaces all keys by another keyring's, atomically: holders use them from the next message on. */
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

  #add(record: KeyRecord): void {
    const generation = generationOf(record);
    const present = this.#records.get(record.key_id);
    if (present !== undefined && present.secret !== record.secret) {
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

function parseText(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    // The engine's message may quote the text, which holds secrets.
    throw new KeyringInvalidError("it is not JSON, or has a name twice");
  }
}

function importKey({ key_id, from, to, secret, use: mode }: KeyRecord): EnvelopeKey {
  const bytes = Buffer.from(secret, "base64url");
  if (bytes.length !== 32) throw new KeyringInvalidError(`the secret of ${key_id} is not 32 bytes`);
  const verifying = createSecretKey(bytes);
  return { key_id, from, to, verifying, signing: mode === "sign_verify" ? verifying : undefined };
}

const agentName = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/);
const keyId = z.string().regex(/^[a-z0-9>#-]{1,160}$/);
const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/);
const use = z.enum(["sign_verify", "verify"]);

/** A shared secret per edge and generation, known to sender and receiver. `key_id` is `from>to#generation`. */
const keyRecordSchema = z.strictObject({
  key_id: keyId,
  alg: z.literal("HS256"),
  /** Agent names without version. */
  from: agentName,
  to: agentName,
  /** 32 bytes. */
  secret: base64url.length(43),
  use,
});

const keyFileSchema = z.strictObject({ version: z.literal(1), keys: z.array(keyRecordSchema).max(KEYS_MAX) });

/** A key as issued and stored: secret. */
export type KeyRecord = z.output<typeof keyRecordSchema>;

/** A declared transition, by agent names without version. */
export interface KeyEdge {
  readonly from: string;
  readonly to: string;
}

/** Key generations in use on every edge: `signing` signs, all of `verifying` (which includes it) verify. */
export interface KeyGenerations {
  readonly signing: number;
  readonly verifying: readonly number[];
}

import { createPrivateKey, createPublicKey, hkdfSync } from "node:crypto";
import { randomHex } from "#shared/clock";
import { KeyringInvalidError } from "../errors.ts";
import type { EdgeKeyPairRecord, EdgeKeyRecord, KeyEdge, KeyGenerations, KeyRecord } from "./key-record.ts";
import { Keyring } from "./keyring.ts";
import { FIRST_GENERATION } from "./rotate-keys.ts";
import type { SealAlgorithm } from "../seals/sealed-message.ts";

/** Identifies the key to derive. `master` is base64url of at least 32 bytes; `generation` is an integer from 1. */
export interface KeyToDerive extends KeyEdge {
  readonly master: string;
  readonly generation: number;
}

export interface KeyringToIssue {
  readonly master: string;
  /** Name without version; `gateway` and `surgeon` are agents too. */
  readonly agent: string;
  /** All edges of the deployment; those of other agents are skipped. */
  readonly edges: readonly KeyEdge[];
  /** Default: generation 1 signs and verifies. */
  readonly generations?: KeyGenerations;
}

const MASTER_BYTES_MIN = 32;
const SECRET_BYTES = 32;
const SALT = "suture.edge-key.v1";

/** DER prefix of a PKCS #8 Ed25519 private key, followed by 32 bytes of seed (RFC 8410). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

/** Returns a new master secret: 32 random bytes, base64url. Only the key command holds it. */
export function createMaster(): string {
  return Buffer.from(randomHex(MASTER_BYTES_MIN), "hex").toString("base64url");
}

function deriveSecret({ master, from, to, generation }: KeyToDerive, alg: SealAlgorithm): Buffer {
  const bytes = Buffer.from(master, "base64url");
  if (bytes.length < MASTER_BYTES_MIN || bytes.toString("base64url") !== master) {
    throw new KeyringInvalidError(`the master secret is not base64url of at least ${MASTER_BYTES_MIN} bytes`);
  }
  if (!Number.isSafeInteger(generation) || generation < 1) {
    throw new KeyringInvalidError("a generation is not an integer from 1");
  }
  const info = [alg, from, to, String(generation)]
    .map((part) => `${Buffer.byteLength(part)}:${part};`)
    .join("");
  return Buffer.from(hkdfSync("sha256", bytes, SALT, info, SECRET_BYTES));
}

function keyIdOf({ from, to, generation }: KeyToDerive): string {
  return `${from}>${to}#${generation}`;
}

/** Derives the secret of one edge and generation; deterministic. @throws {KeyringInvalidError} */
export function deriveEdgeKey(asked: KeyToDerive): EdgeKeyRecord {
  const secret = deriveSecret(asked, "HS256").toString("base64url");
  return { key_id: keyIdOf(asked), alg: "HS256", from: asked.from, to: asked.to, secret, use: "sign_verify" };
}

/** Derives the Ed25519 key pair of one edge and generation, for its sender. @throws {KeyringInvalidError} */
export function deriveEdgeKeyPair(asked: KeyToDerive): EdgeKeyPairRecord {
  const seed = deriveSecret(asked, "EdDSA");
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: "der", type: "pkcs8" });
  const point = createPublicKey(key).export({ format: "jwk" }).x;
  if (point === undefined) throw new KeyringInvalidError(`no public key follows from ${keyIdOf(asked)}`);
  const { from, to } = asked;
  const halves = { public: point, private: seed.toString("base64url") };
  return { key_id: keyIdOf(asked), alg: "EdDSA", from, to, ...halves, use: "sign_verify" };
}

/** Derives the key of one edge and generation, in the algorithm of the edge. */
function deriveRecord(master: string, { from, to, alg }: KeyEdge, generation: number): KeyRecord {
  const asked = { master, from, to, generation };
  return alg === "EdDSA" ? deriveEdgeKeyPair(asked) : deriveEdgeKey(asked);
}

/**
 * Returns the same key for verification only: the public half of a pair. A shared secret could still sign; our
 * Keyring refuses to.
 */
export function verifyOnly(record: KeyRecord): KeyRecord {
  if (record.alg === "HS256") return { ...record, use: "verify" };
  const { private: _kept, ...shared } = record;
  return { ...shared, use: "verify" };
}

/**
 * Issues exactly the keys that one agent's process needs: to sign on its outgoing edges, to verify on its incoming
 * ones (least privilege). Without other keys it can neither forge another agent's messages nor use an edge that it
 * was not granted.
 *
 * @throws {KeyringInvalidError} The master is too short, or the signing generation does not verify.
 */
export function issueKeyring(asked: KeyringToIssue): Keyring {
  const { master, agent, edges, generations = FIRST_GENERATION } = asked;
  if (!generations.verifying.includes(generations.signing)) {
    throw new KeyringInvalidError("the signing generation is not among the verifying ones");
  }
  const records = edges
    .filter(({ from, to }) => from === agent || to === agent)
    .flatMap((edge) =>
      generations.verifying.map((generation) => {
        const record = deriveRecord(master, edge, generation);
        return edge.from === agent && generation === generations.signing ? record : verifyOnly(record);
      }),
    );
  return new Keyring(records);
}

/**
 * Issues a keyring that verifies every edge and signs none, for services that check what agents report about each
 * other: those with the surgeon's keys, and those that write what agents must not.
 *
 * @throws {KeyringInvalidError} The master is too short.
 */
export function issueVerifyingKeyring(asked: Omit<KeyringToIssue, "agent">): Keyring {
  const { master, edges, generations = FIRST_GENERATION } = asked;
  return new Keyring(
    edges.flatMap((edge) =>
      generations.verifying.map((generation) => verifyOnly(deriveRecord(master, edge, generation))),
    ),
  );
}

import { hkdfSync } from "node:crypto";
import { randomHex } from "#shared/clock";
import { KeyringInvalidError } from "../errors.ts";
import { Keyring } from "./keyring.ts";
import type { KeyEdge, KeyGenerations, KeyRecord } from "./keyring.ts";

/** Identifies the key to derive. `master` is base64url of at least 32 bytes; `generation` is an integer from 1. */
interface KeyToDerive extends KeyEdge {
  readonly master: string;
  readonly generation: number;
}

interface KeyringToIssue {
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

/** Returns a new master secret: 32 random bytes, base64url. Only the key command holds it. */
export function createMaster(): string {
  return Buffer.from(randomHex(MASTER_BYTES_MIN), "hex").toString("base64url");
}

/** Derives the secret of one edge and generation; deterministic. @throws {KeyringInvalidError} */
export function deriveEdgeKey({ master, from, to, generation }: KeyToDerive): KeyRecord {
  const bytes = Buffer.from(master, "base64url");
  if (bytes.length < MASTER_BYTES_MIN || bytes.toString("base64url") !== master) {
    throw new KeyringInvalidError(`the master secret is not base64url of at least ${MASTER_BYTES_MIN} bytes`);
  }
  if (!Number.isSafeInteger(generation) || generation < 1) {
    throw new KeyringInvalidError("a generation is not an integer from 1");
  }
  const info = ["HS256", from, to, String(generation)]
    .map((part) => `${Buffer.byteLength(part)}:${part};`)
    .join("");
  const secret = Buffer.from(hkdfSync("sha256", bytes, SALT, info, SECRET_BYTES)).toString("base64url");
  return { key_id: `${from}>${to}#${generation}`, alg: "HS256", from, to, secret, use: "sign_verify" };
}

/** Returns the same key for verification only. Its secret could still sign; our Keyring refuses to. */
function verifyOnly(record: KeyRecord): KeyRecord {
  return { ...record, use: "verify" };
}

/**
 * Issues exactly the keys that one agent needs: to sign on its outgoing edges, to verify on incoming ones.
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
        const record = deriveEdgeKey({ master, ...edge, generation });
        return edge.from === agent && generation === generations.signing ? record : verifyOnly(record);
      }),
    );
  return new Keyring(records);
}

/** Issues a keyring that verifies every edge and signs none, for the surgeon. @throws {KeyringInvalidError} */
export function issueVerifyingKeyring(asked: Omit<KeyringToIssue, "agent">): Keyring {
  const { master, edges, generations = FIRST_GENERATION } = asked;
  return new Keyring(
    edges.flatMap((edge) =>
      generations.verifying.map((generation) => verifyOnly(deriveEdgeKey({ master, ...edge, generation }))),
    ),
  );
}

/** Initial generations of a deployment. */
export const FIRST_GENERATION: KeyGenerations = { signing: 1, verifying: [1] };

/** First step of a key rotation: the next generation verifies everywhere. Issue it before the second step. */
export function introduceGeneration(generations: KeyGenerations): KeyGenerations {
  const next = Math.max(...generations.verifying, generations.signing) + 1;
  return { ...generations, verifying: [next, ...generations.verifying] };
}

/** Second step: the newest generation signs; older ones still verify, for messages in flight. */
export function promoteGeneration(generations: KeyGenerations): KeyGenerations {
  return { ...generations, signing: Math.max(...generations.verifying) };
}

/** Third step: drops generations before `oldestKept`, that of the oldest case. @throws {KeyringInvalidError} */
export function retireGenerations(generations: KeyGenerations, oldestKept: number): KeyGenerations {
  if (oldestKept > generations.signing) {
    throw new KeyringInvalidError(`generation ${generations.signing} still signs; promote a newer one first`);
  }
  const { signing, verifying } = generations;
  return { signing, verifying: verifying.filter((generation) => generation >= oldestKept) };
}

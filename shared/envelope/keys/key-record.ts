import { z } from "zod";
import type { SealAlgorithm } from "../seals/sealed-message.ts";

const agentName = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/);
const keyId = z.string().regex(/^[a-z0-9>#-]{1,160}$/);
const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/);
const use = z.enum(["sign_verify", "verify"]);

/** A shared secret per edge and generation, known to sender and receiver. `key_id` is `from>to#generation`. */
const edgeKeySchema = z.strictObject({
  key_id: keyId,
  alg: z.literal("HS256"),
  /** Agent names without version. */
  from: agentName,
  to: agentName,
  /** 32 bytes. */
  secret: base64url.length(43),
  use,
});

/** An Ed25519 key pair per generation, of an edge that many verify and one signs: people's decisions. */
const edgeKeyPairSchema = z.strictObject({
  key_id: keyId,
  alg: z.literal("EdDSA"),
  from: agentName,
  to: agentName,
  /** Raw Ed25519 keys, 32 bytes each. A receiver's record has no private one. */
  public: base64url.length(43),
  private: base64url.length(43).optional(),
  use,
});

export const keyRecordSchema = z.discriminatedUnion("alg", [edgeKeySchema, edgeKeyPairSchema]);

export type EdgeKeyRecord = z.output<typeof edgeKeySchema>;
export type EdgeKeyPairRecord = z.output<typeof edgeKeyPairSchema>;
/** A key as issued and stored. Secret, except for an EdDSA record without `private`. */
export type KeyRecord = EdgeKeyRecord | EdgeKeyPairRecord;

/** A declared transition, by agent names without version. */
export interface KeyEdge {
  readonly from: string;
  readonly to: string;
  /** Signature algorithm of this edge. Default `HS256`. */
  readonly alg?: SealAlgorithm;
}

/** Key generations in use on every edge: `signing` signs, all of `verifying` (which includes it) verify. */
export interface KeyGenerations {
  readonly signing: number;
  readonly verifying: readonly number[];
}

import { createSecretKey } from "node:crypto";
import { describe, expect, it } from "vitest";
import { digestOf } from "./digest-of.ts";
import { SealAlgorithmError, SignatureMismatchError } from "../errors.ts";
import { deriveEdgeKey, deriveEdgeKeyPair, issueKeyring, verifyOnly } from "../keys/issue-keys.ts";
import { Keyring } from "../keys/keyring.ts";
import type { EnvelopeKey } from "../keys/keyring.ts";
import { openBytes } from "./open-bytes.ts";
import { verifyOriginalSeal } from "./original-seal.ts";
import { EDGES, MASTER } from "../sample-run.ts";
import { sealBytes } from "./seal-bytes.ts";
import type { SealAlgorithm } from "./sealed-message.ts";
import { signRecord, verifyRecord } from "./sign-record.ts";

/** A key seals and verifies by its own algorithm, whatever a message says; no generation of an edge has two. */

const EDGE = { from: "gateway", to: "triage" };
const FIRST = { master: MASTER, ...EDGE, generation: 1 };
const ringOf = (agent: string): Keyring =>
  issueKeyring({ master: MASTER, agent, edges: EDGES.map((edge) => ({ ...edge, alg: "EdDSA" })) });
const pairs = { sender: ringOf("gateway"), receiver: ringOf("triage") };
const publicOf = (): string => deriveEdgeKeyPair(FIRST).public;

/** What is sealed with a key: a message, the first seal of a message, a record. Each verifies in a ring, or throws. */
const SEALED = {
  message: (key: EnvelopeKey, alg: string) => {
    const { seal, ...made } = sealBytes({ bytes: "{}", queue: "triage", id: "m", key });
    const message = { ...made, seal: { ...seal, alg } };
    return (keyring: Keyring) => openBytes({ message, queue: "triage", jobId: "m", keyring });
  },
  "first seal": (key: EnvelopeKey, alg: string) => {
    const { seal } = sealBytes({ bytes: "{}", queue: "triage", id: "m", key });
    // Whatever a stored message says; the type tells what a genuine one does.
    const named = { ...seal, alg: alg as SealAlgorithm };
    const original = { ...named, message_id: "m", encoding: "", sealed_digest: digestOf("{}") } as const;
    return (keyring: Keyring) => verifyOriginalSeal(original, keyring);
  },
  record: (key: EnvelopeKey, alg: string) => {
    const { seal, ...fields } = signRecord({ said: 1 }, { key, purpose: "test" });
    const record = { ...fields, seal: { ...seal, alg } };
    return (keyring: Keyring) =>
      verifyRecord(record, { keyring, purpose: "test", from: ["gateway"], to: "triage" });
  },
} as const;

const kinds = Object.keys(SEALED) as (keyof typeof SEALED)[];

describe.each(kinds)("a %s", (kind) => {
  const sealed = SEALED[kind];

  it("verifies by the key that sealed it", () => {
    const key = pairs.sender.signing("gateway", "triage");
    expect(() => sealed(key, "EdDSA")(pairs.receiver)).not.toThrow();
  });

  it("is refused under an HMAC whose secret is the edge's public key, under either name", () => {
    for (const bytes of [Buffer.from(publicOf(), "base64url"), Buffer.from(publicOf())]) {
      const secret = createSecretKey(bytes);
      const key = {
        ...EDGE,
        key_id: "gateway>triage#1",
        alg: "HS256",
        signing: secret,
        verifying: secret,
      } as const;
      expect(() => sealed(key, "HS256")(pairs.receiver)).toThrow(SealAlgorithmError);
      expect(() => sealed(key, "EdDSA")(pairs.receiver)).toThrow(SignatureMismatchError);
    }
  });

  it("is refused under the shared secret that the same edge and generation would have", () => {
    const key = new Keyring([deriveEdgeKey(FIRST)]).signing("gateway", "triage");
    expect(() => sealed(key, "HS256")(pairs.receiver)).toThrow(SealAlgorithmError);
    expect(() => sealed(key, "EdDSA")(pairs.receiver)).toThrow(SignatureMismatchError);
  });

  it("is refused under a pair where the edge has a shared secret", () => {
    const receiver = new Keyring([verifyOnly(deriveEdgeKey(FIRST))]);
    const key = pairs.sender.signing("gateway", "triage");
    expect(() => sealed(key, "EdDSA")(receiver)).toThrow(SealAlgorithmError);
    expect(() => sealed(key, "HS256")(receiver)).toThrow(SignatureMismatchError);
  });

  it("is refused where its genuine seal names another algorithm", () => {
    const key = pairs.sender.signing("gateway", "triage");
    for (const alg of ["HS256", "none", "ES256", "eddsa", ""]) {
      const isKnown = kind !== "message" || alg === "HS256";
      const refusal = isKnown ? SealAlgorithmError : /sealed message/;
      expect(() => sealed(key, alg)(pairs.receiver), alg).toThrow(refusal);
    }
  });
});

it("refuses a ring with both kinds under one key id, whichever comes first", () => {
  const both = [deriveEdgeKey(FIRST), deriveEdgeKeyPair(FIRST)];
  for (const records of [both, both.toReversed(), both.map(verifyOnly)]) {
    expect(() => new Keyring(records)).toThrow("two different keys are called gateway>triage#1");
  }
});

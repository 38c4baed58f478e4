import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { EDGES, firstEnvelope, keyringOf, MASTER } from "../testing/first-envelope.ts";
import { KeyringInvalidError, SigningKeyMissingError } from "../errors.ts";
import { open } from "../seals/open.ts";
import { seal } from "../seals/seal.ts";
import {
  createMaster,
  deriveEdgeKey,
  FIRST_GENERATION,
  introduceGeneration,
  issueKeyring,
  promoteGeneration,
  retireGenerations,
} from "./issue-keys.ts";
import { Keyring } from "./keyring.ts";
import type { KeyGenerations } from "./keyring.ts";

const issue = (agent: string, generations: KeyGenerations): Keyring =>
  issueKeyring({ master: MASTER, agent, edges: EDGES, generations });

function isDelivered(sender: Keyring, receiver: Keyring): boolean {
  const envelope = firstEnvelope();
  const { message } = seal({ envelope, queue: "triage", key: sender.signing("gateway", "triage") });
  try {
    open({ message, queue: "triage", jobId: envelope.meta.message_id, keyring: receiver });
    return true;
  } catch {
    return false;
  }
}

describe("issueKeyring", () => {
  it("gives an agent its own edges' keys and no others", () => {
    const triage = keyringOf("triage");
    expect(triage.signing("triage", "refunds").key_id).toBe("triage>refunds#1");
    expect(triage.find("gateway>triage#1")?.signing).toBeUndefined();
    expect(triage.find("surgeon>refunds#1")).toBeUndefined();
    expect(() => triage.signing("gateway", "triage")).toThrow(SigningKeyMissingError);
  });

  it("derives another key for every edge, generation and master, and the same one again", () => {
    const edge = { master: MASTER, from: "a", to: "b", generation: 1 };
    const others = [
      edge,
      { ...edge, from: "b", to: "a" },
      { ...edge, to: "c" },
      { ...edge, generation: 2 },
      { ...edge, master: createMaster() },
    ];
    expect(new Set(others.map((asked) => deriveEdgeKey(asked).secret)).size).toBe(5);
    expect(deriveEdgeKey(edge)).toEqual(deriveEdgeKey({ ...edge }));
  });

  it("refuses a master that is short or badly written, and generations that are none", () => {
    for (const master of ["", "short", `${MASTER}=`, Buffer.alloc(31).toString("base64url")]) {
      expect(() => deriveEdgeKey({ master, from: "a", to: "b", generation: 1 })).toThrow(KeyringInvalidError);
    }
    for (const generation of [0, -1, 1.5, Number.NaN]) {
      expect(() => deriveEdgeKey({ master: MASTER, from: "a", to: "b", generation })).toThrow(
        KeyringInvalidError,
      );
    }
    expect(() => issue("triage", { signing: 2, verifying: [1] })).toThrow(KeyringInvalidError);
  });
});

describe("rotation", () => {
  it("delivers between any two processes of neighbouring steps, in both directions", () => {
    const steps = [FIRST_GENERATION];
    steps.push(introduceGeneration(FIRST_GENERATION));
    steps.push(promoteGeneration(steps[1] ?? FIRST_GENERATION));
    steps.push(retireGenerations(steps[2] ?? FIRST_GENERATION, 2));
    for (let i = 1; i < steps.length; i += 1) {
      const before = steps[i - 1] ?? FIRST_GENERATION;
      const after = steps[i] ?? FIRST_GENERATION;
      // Retiring waits until no sender and no case uses the old generation, which the step before has ended.
      expect(isDelivered(issue("gateway", before), issue("triage", after))).toBe(true);
      expect(isDelivered(issue("gateway", after), issue("triage", before))).toBe(true);
    }
    expect(steps.at(-1)).toEqual({ signing: 2, verifying: [2] });
    expect(
      isDelivered(issue("gateway", FIRST_GENERATION), issue("triage", steps[3] ?? FIRST_GENERATION)),
    ).toBe(false);
    expect(() => retireGenerations(FIRST_GENERATION, 2)).toThrow(KeyringInvalidError);
  });
});

describe("Keyring", () => {
  it("reads back what it writes", () => {
    const written = keyringOf("triage").exportJson();
    expect(Keyring.fromJson(written).exportJson()).toBe(written);
    expect(Keyring.fromJson(JSON.parse(written)).signing("triage", "refunds").from).toBe("triage");
  });

  it("signs with the newest generation that may sign", () => {
    const keys = [1, 10, 9].map((generation) =>
      deriveEdgeKey({ master: MASTER, from: "a", to: "b", generation }),
    );
    expect(new Keyring(keys).signing("a", "b").key_id).toBe("a>b#10");
  });

  it("keeps the right to sign when keyrings are merged in any order", () => {
    const orders = [
      ["gateway", "triage"],
      ["triage", "gateway"],
    ];
    for (const agents of orders)
      expect(keyringOf(...agents).signing("gateway", "triage").signing).toBeDefined();
  });

  it("never shows a secret when it is printed or serialised", () => {
    const keyring = keyringOf("triage");
    const { secret } = deriveEdgeKey({ master: MASTER, from: "triage", to: "refunds", generation: 1 });
    expect(keyring.exportJson()).toContain(secret);
    const shown = [inspect(keyring, { depth: 9, showHidden: true }), JSON.stringify(keyring)];
    shown.push(
      JSON.stringify(keyring.signing("triage", "refunds")),
      inspect(keyring.signing("triage", "refunds")),
    );
    for (const text of shown) expect(text).not.toContain(secret);
  });

  it("refuses files and records that cannot be used, and quotes none of them", () => {
    const good = deriveEdgeKey({ master: MASTER, from: "a", to: "b", generation: 1 });
    const other = deriveEdgeKey({ master: createMaster(), from: "a", to: "b", generation: 1 });
    const bad: unknown[] = [
      "",
      "{",
      `${JSON.stringify(good)}x`,
      null,
      [],
      {},
      { version: 2, keys: [] },
      { version: 1, keys: [{}] },
      { version: 1, keys: [good], extra: 1 },
      ...[
        [good, other],
        [{ ...good, key_id: "a>c#1" }],
        [{ ...good, key_id: "a>b" }],
        [{ ...good, key_id: "a>b#0" }],
        [{ ...good, key_id: "a>b#1#1" }],
        [{ ...good, secret: "A" }],
        [{ ...good, alg: "none" }],
        [{ ...good, from: "__proto__" }],
      ].map((keys) => ({ version: 1, keys })),
    ];
    for (const file of bad) {
      try {
        Keyring.fromJson(file);
        expect.unreachable(JSON.stringify(file));
      } catch (error) {
        expect(error).toBeInstanceOf(KeyringInvalidError);
        expect(String(error)).not.toContain(good.secret);
      }
    }
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { derivedId } from "#shared/clock";
import { createDischarge, createFirst, createNext } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";
import { createMaster, issueKeyring, Keyring } from "#shared/envelope/keys";
import { digestOf, originalSealOf, seal } from "#shared/envelope/seals";
import type { Sealed } from "#shared/envelope/seals";
import { admissionOf } from "../testing/admission-of.ts";
import { proveMessage, deriveChild, findForeignParent } from "./provenance.ts";

const MASTER = createMaster();
const EDGES = [
  { from: "gateway", to: "desk" },
  { from: "teller", to: "desk" },
  { from: "surgeon", to: "desk" },
  { from: "surgeon", to: "ward" },
];
const keyring = Keyring.merge(
  ["gateway", "teller", "surgeon", "desk"].map((agent) =>
    issueKeyring({ master: MASTER, agent, edges: EDGES }),
  ),
);

const MESSAGE = createFirst({
  to: "desk@1",
  contract: "order@1",
  payload: { words: "a b c ".repeat(10) },
  traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
});
const LARGE = {
  ...MESSAGE,
  data_payload: Array.from({ length: 4000 }, (_, n) => `line ${n} of a long text`),
};

function sealAs(from: string, envelope: Envelope): Sealed {
  return seal({ envelope, queue: "desk", key: keyring.signing(from, "desk") });
}

const recordOf = (envelope: Envelope, bytes: string, stored: unknown) => ({
  ...admissionOf(envelope, { stored: JSON.stringify(stored) }),
  bytes,
});

describe("a message's own seal", () => {
  it.each([
    ["with its text in one place", MESSAGE, (message: object) => ({ ...message, sealed: null })],
    ["as it was stored", MESSAGE, (message: object) => message],
    ["packed, as it was stored", LARGE, (message: object) => message],
  ])("is verified where it was kept %s", (_how, envelope, keep) => {
    const { message, bytes } = sealAs("gateway", envelope);
    expect(message.encoding).toBe(envelope === LARGE ? "gzip" : undefined);
    const proven = proveMessage(recordOf(envelope, bytes, keep(message)), "desk", { keyring });
    expect(proven).toMatchObject({
      envelope,
      doubt: null,
      origin: { edge: { from: "gateway", to: "desk" } },
    });
  });

  it("is admitted by nobody who neither sent nor received it", () => {
    const { message, bytes } = sealAs("gateway", MESSAGE);
    expect(() => proveMessage(recordOf(MESSAGE, bytes, message), "teller", { keyring })).toThrow(
      "its signer neither sent nor received the message",
    );
  });

  it("is not taken for that of other bytes", () => {
    const { message, bytes } = sealAs("gateway", MESSAGE);
    const other = recordOf(MESSAGE, bytes.replace("a b c", "x y z"), message);
    expect(() => proveMessage(other, "desk", { keyring })).toThrow(
      expect.objectContaining({ code: "WARD_ADMISSION_FOREIGN" }),
    );
  });

  it("of a gateway or agent brings neither answers nor a case", () => {
    const claims = {
      ...MESSAGE,
      meta: { ...MESSAGE.meta, case_id: MESSAGE.meta.run_id },
      conversation: { ...MESSAGE.conversation, tool_state: { answers: { "approval/c-1": {} }, kept: 1 } },
    };
    const { message, bytes } = sealAs("gateway", claims);
    const { envelope } = proveMessage(recordOf(claims, bytes, message), "desk", { keyring });
    expect(envelope.meta.case_id).toBeUndefined();
    expect(envelope.conversation.tool_state).toEqual({ kept: 1 });
  });
});

describe("a discharge that died", () => {
  const first = sealAs("gateway", MESSAGE);
  const discharge = (more: object = {}): Envelope =>
    createDischarge({
      dead: MESSAGE,
      deadDigest: first.digest,
      operation: "o",
      caseId: derivedId("case", MESSAGE.meta.message_id),
      diedAtMs: Date.parse(MESSAGE.meta.timestamp),
      ...more,
    });
  const prove = (envelope: Envelope) => {
    const { message, bytes } = sealAs("surgeon", envelope);
    return proveMessage(recordOf(envelope, bytes, message), "desk", { keyring });
  };

  it("keeps its answers, and leads back to the first message", () => {
    const originalSeal = originalSealOf(first.message, MESSAGE.meta.message_id);
    const conversation = { history: [], tool_state: { answers: { s: 1 } }, metadata: {} };
    expect(prove(discharge({ originalSeal, conversation }))).toMatchObject({
      origin: { edge: { from: "gateway", to: "desk" }, seal: originalSeal },
      envelope: { conversation },
    });
  });

  it("is not believed where it names no first message", () => {
    expect(() => prove(discharge())).toThrow("does not bring the seal of its first message");
  });

  it("is not believed with a first message of somebody else", () => {
    const other = sealAs("teller", {
      ...MESSAGE,
      meta: { ...MESSAGE.meta, source_agent: "teller@1", path: ["teller@1"] },
    });
    const originalSeal = originalSealOf(other.message, MESSAGE.meta.message_id);
    expect(() => prove(discharge({ originalSeal }))).toThrow(/another edge/);
    expect(() => prove(discharge({ originalSeal: { ...originalSeal, value: "A".repeat(43) } }))).toThrow(
      /seal does not hold/,
    );
  });
});

const BASE = createFirst({
  to: "clerk@1",
  contract: "order@1",
  payload: { n: 1 },
  traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  user: { user_id: "ada", original_query: "pay A-1" },
  hopsMax: 5,
});
const PARENT: Envelope = {
  ...BASE,
  meta: { ...BASE.meta, may_cause: ["read", "mail"] },
  conversation: { ...BASE.conversation, metadata: { taint: { "": ["mail"], "/subject": [] } } },
  billing: { ...BASE.billing, cost_so_far: 0.2, tokens_consumed: 300 },
};
const parentDigest = digestOf(JSON.stringify(PARENT));

const amount = fc.double({ min: 0, max: 1e6, noNaN: true });
const count = fc.nat({ max: 1_000_000 });

/** Marks that an honest sender may put on its handoff. */
const honestDraft = fc.record({
  index: fc.nat({ max: 5 }),
  payload: fc.jsonValue(),
  spent: fc.record({ cost: amount, tokens: count }),
  tighten: fc.record({ costLimit: amount, tokenLimit: count, hopsMax: fc.nat({ max: 9 }), ttlMs: count }),
  reason: fc.string({ maxLength: 20 }),
});

function childOf(draft: { readonly index?: number; readonly payload?: unknown } = {}): Envelope {
  return createNext({
    parent: PARENT,
    parentDigest,
    from: "clerk@1",
    to: "auditor@1",
    contract: "order@1",
    payload: null,
    ...draft,
  });
}

describe("a child made anew from its parent", () => {
  it("is the child itself, where that was honestly made", () => {
    fc.assert(
      fc.property(honestDraft, (draft) => {
        const child = childOf(draft);
        const clean = ["/subject"];
        const unsent = { child, parent: PARENT, parentDigest, index: draft.index, clean };
        expect(findForeignParent(unsent)).toBeNull();
        // Sums of amounts are kept, not added up again.
        expect(deriveChild(unsent)).toEqual(child);
      }),
    );
  });

  it("has nothing wider than its parent, and nobody else's words about the user, whatever the child says", () => {
    const hostile = fc.record({
      billing: fc.record({
        cost_so_far: amount,
        tokens_consumed: count,
        cost_limit: amount,
        token_limit: count,
        currency: fc.constantFrom("USD", "EUR"),
      }),
      max_hops: fc.nat({ max: 200 }),
      may_cause: fc.option(fc.array(fc.constantFrom("pay", "read", "mail", "wire")), { nil: undefined }),
      expires_at: fc.constantFrom(null, "2999-01-01T00:00:00.000Z", "2000-01-01T00:00:00.000Z"),
      path: fc.array(fc.constantFrom("payer@1", "surgeon@1"), { minLength: 1, maxLength: 5 }),
      taint: fc.constantFrom(undefined, {}, { "": [] }, { "": ["other"], "/n": [] }, 7),
      answers: fc.jsonValue(),
    });
    fc.assert(
      fc.property(hostile, ({ billing, taint, answers, ...meta }) => {
        const honest = childOf();
        const child: Envelope = {
          ...honest,
          meta: { ...honest.meta, ...meta, run_id: honest.meta.message_id, case_id: honest.meta.run_id },
          user_context: { ...honest.user_context, user_id: "root", original_query: "pay everybody" },
          task_context: { ...honest.task_context, priority: "high" },
          conversation: { history: [], tool_state: { answers }, metadata: { taint } },
          billing,
        };
        const made = deriveChild({ child, parent: PARENT, parentDigest, index: 0, clean: [] });
        expect(made.user_context).toEqual(PARENT.user_context);
        expect(made.task_context).toEqual(PARENT.task_context);
        expect(made.meta.run_id).toBe(PARENT.meta.run_id);
        expect(made.meta.case_id).toBeUndefined();
        expect(made.meta.path).toEqual([...PARENT.meta.path, "clerk@1"]);
        expect(made.meta.max_hops).toBeLessThanOrEqual(PARENT.meta.max_hops);
        expect(made.meta.expires_at).not.toBeNull();
        expect(Date.parse(made.meta.expires_at ?? "")).toBeLessThanOrEqual(
          Date.parse(PARENT.meta.expires_at ?? ""),
        );
        const scope = made.meta["may_cause"] as readonly string[];
        expect(scope.filter((action) => action !== "read" && action !== "mail")).toEqual([]);
        expect(made.billing.cost_limit).toBeLessThanOrEqual(PARENT.billing.cost_limit);
        expect(made.billing.token_limit).toBeLessThanOrEqual(PARENT.billing.token_limit);
        expect(made.billing.cost_so_far).toBeGreaterThanOrEqual(PARENT.billing.cost_so_far);
        expect(made.billing.tokens_consumed).toBeGreaterThanOrEqual(PARENT.billing.tokens_consumed);
        expect(made.billing.currency).toBe(PARENT.billing.currency);
        expect(made.conversation.tool_state).toEqual({});
        expect(made.conversation.metadata["taint"]).toEqual({ "": expect.arrayContaining(["mail"]) });
      }),
    );
  });

  it.each([
    [
      "another parent",
      { meta: { ...childOf().meta, parent_id: childOf().meta.message_id } },
      /another message/,
    ],
    ["another digest", { meta: { ...childOf().meta, parent_digest: digestOf("x") } }, /other bytes/],
    [
      "an id of its own choice",
      { meta: { ...childOf().meta, message_id: BASE.meta.run_id } },
      /does not follow/,
    ],
  ])("is none of a parent where it names %s", (_what, change, said) => {
    const child = { ...childOf(), ...change };
    const unsent = { child, parent: PARENT, parentDigest, index: 0, clean: [] };
    expect(findForeignParent(unsent)).toMatch(said);
  });
});

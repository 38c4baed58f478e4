import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDischarge } from "./create-first.ts";
import { NOW_MS, firstEnvelope } from "./testing/first-envelope.ts";
import { createNext, trimHistory } from "./create-next.ts";
import type { NextDraft } from "./create-next.ts";
import type { Conversation, Envelope } from "./envelope.ts";
import { EnvelopeInvalidError, FutureTimestampError, PathMismatchError } from "./errors.ts";
import { FUTURE_MS_MAX, checkBudget, checkLimits } from "./limits/limits.ts";
import {
  BudgetExceededError,
  ExpiredError,
  HopLimitError,
  LoopDetectedError,
} from "./limits/limit-errors.ts";
import { hopsOf, senderOf } from "./path.ts";
import { checkEnvelope } from "./read-envelope.ts";

const DIGEST = "a".repeat(64);

function next(parent: Envelope, draft: Partial<NextDraft> = {}): Envelope {
  const base = { parentDigest: DIGEST, from: "triage@1", to: "refunds@1", contract: "refunds.request@2" };
  return createNext({ ...base, parent, payload: { n: 1 }, nowMs: NOW_MS + 1000, ...draft });
}

function chain(hops: number): Envelope {
  let envelope = firstEnvelope();
  for (let i = 1; i <= hops; i += 1) envelope = next(envelope, { from: `a${i}@1`, to: `a${i + 1}@1` });
  return envelope;
}

function check(envelope: Envelope, agent = "refunds", loopAllowed = false, nowMs = NOW_MS): void {
  checkLimits({ envelope, nowMs, agent, loopAllowed });
}

describe("createNext", () => {
  it("makes a valid child that names its parent and grows the path by its sender", () => {
    const parent = firstEnvelope();
    const child = checkEnvelope(next(parent));
    expect(child.meta).toMatchObject({
      parent_id: parent.meta.message_id,
      parent_digest: DIGEST,
      run_id: parent.meta.run_id,
      hop_count: 1,
      path: ["gateway@1", "triage@1"],
      expires_at: parent.meta.expires_at,
    });
    expect(child.user_context).toEqual(parent.user_context);
    expect(child.task_context).toEqual(parent.task_context);
  });

  it("gives a repeat the same id, and every other edge, index or parent another one", () => {
    const parent = firstEnvelope();
    const repeated = next(parent, { nowMs: NOW_MS + 9000, payload: "other", from: "triage@2" });
    expect(repeated.meta.message_id).toBe(next(parent).meta.message_id);
    const ids = [
      next(parent),
      next(parent, { index: 1 }),
      next(parent, { to: "sales@1" }),
      next(next(parent)),
    ];
    expect(new Set([parent, ...ids].map((envelope) => envelope.meta.message_id)).size).toBe(5);
  });

  it("never widens a limit of the run, whatever is asked", () => {
    const amount = fc.double({ min: 0, max: 1e6, noNaN: true });
    const step = fc.record({
      cost: amount,
      tokens: fc.nat(100_000),
      costLimit: amount,
      tokenLimit: fc.nat(1_000_000),
      hopsMax: fc.nat(200),
      ttlMs: fc.nat(10_000_000),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        let parent = firstEnvelope();
        for (const [i, { cost, tokens, ...tighten }] of steps.entries()) {
          const child = next(parent, { from: `a${i}@1`, spent: { cost, tokens }, tighten });
          expect(child.billing.cost_limit).toBeLessThanOrEqual(parent.billing.cost_limit);
          expect(child.billing.token_limit).toBeLessThanOrEqual(parent.billing.token_limit);
          expect(child.billing.cost_so_far).toBeGreaterThanOrEqual(parent.billing.cost_so_far);
          expect(child.billing.tokens_consumed).toBeGreaterThanOrEqual(parent.billing.tokens_consumed);
          expect(child.meta.max_hops).toBeLessThanOrEqual(parent.meta.max_hops);
          expect(Date.parse(child.meta.expires_at ?? "")).toBeLessThanOrEqual(
            Date.parse(parent.meta.expires_at ?? ""),
          );
          expect(child.meta.hop_count).toBe(parent.meta.hop_count + 1);
          expect(child.user_context).toEqual(parent.user_context);
          checkEnvelope(child);
          parent = child;
        }
      }),
      { numRuns: 60 },
    );
  });

  it("refuses amounts that are none", () => {
    const parent = firstEnvelope();
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -1, -0.001]) {
      expect(() => next(parent, { spent: { cost: bad, tokens: 0 } })).toThrow(EnvelopeInvalidError);
      expect(() => next(parent, { spent: { cost: 0, tokens: bad } })).toThrow(EnvelopeInvalidError);
      expect(() => next(parent, { tighten: { costLimit: bad } })).toThrow(EnvelopeInvalidError);
      expect(() => next(parent, { tighten: { ttlMs: bad } })).toThrow(EnvelopeInvalidError);
      expect(() => firstEnvelope({ ttlMs: bad })).toThrow(EnvelopeInvalidError);
      expect(() => firstEnvelope({ hopsMax: bad })).toThrow(EnvelopeInvalidError);
      expect(() => firstEnvelope({ budget: { cost_limit: bad } })).toThrow(EnvelopeInvalidError);
    }
  });

  it("lets a receiver shorten a life without end, and nobody lengthen one", () => {
    const endless = firstEnvelope({ ttlMs: null });
    expect(endless.meta.expires_at).toBeNull();
    expect(next(endless).meta.expires_at).toBeNull();
    expect(next(endless, { tighten: { ttlMs: 0 } }).meta.expires_at).toBe("2026-01-01T00:00:01.000Z");
    expect(next(firstEnvelope(), { tighten: { ttlMs: 1e9 } }).meta.expires_at).toBe(
      "2026-01-01T00:05:00.000Z",
    );
  });
});

describe("checkLimits", () => {
  it("lets ten hops pass and refuses the eleventh", () => {
    check(chain(10));
    expect(() => check(chain(11))).toThrow(HopLimitError);
    check(firstEnvelope({ hopsMax: 0 }), "triage");
    expect(() => check(next(firstEnvelope({ hopsMax: 0 })))).toThrow(HopLimitError);
  });

  it("does not believe a hop count that the path contradicts", () => {
    const envelope = chain(11);
    expect(() => check({ ...envelope, meta: { ...envelope.meta, hop_count: 1 } })).toThrow(PathMismatchError);
  });

  it("sees work come back, unless the team declares that loop, and still counts its hops", () => {
    let envelope = next(firstEnvelope());
    envelope = next(envelope, { from: "refunds@1", to: "triage@2" });
    expect(() => check(envelope, "triage")).toThrow(LoopDetectedError);
    check(envelope, "triage", true);
    for (let i = 0; i < 9; i += 1)
      envelope = next(envelope, { from: i % 2 === 0 ? "triage@1" : "refunds@1" });
    expect(() => check(envelope, "triage", true)).toThrow(HopLimitError);
  });

  it("expires after its last millisecond, not at it", () => {
    const envelope = firstEnvelope();
    const endMs = NOW_MS + 5 * 60 * 1000;
    check(envelope, "triage", false, endMs);
    expect(() => check(envelope, "triage", false, endMs + 1)).toThrow(ExpiredError);
    expect(() => check(envelope, "triage", false, Number.NaN)).toThrow(ExpiredError);
    check(firstEnvelope({ ttlMs: null }), "triage", false, NOW_MS * 100);
  });

  it("does not believe a message from the future, beyond what two clocks may differ by", () => {
    const envelope = firstEnvelope();
    check(envelope, "triage", false, NOW_MS - FUTURE_MS_MAX);
    expect(() => check(envelope, "triage", false, NOW_MS - FUTURE_MS_MAX - 1)).toThrow(FutureTimestampError);
  });

  it("holds cost and tokens, below, at and above the edge", () => {
    const spend = (cost: number, tokens: number): Envelope =>
      next(firstEnvelope(), { spent: { cost, tokens } });
    check(spend(1, 100_000));
    expect(() => check(spend(1.0001, 0))).toThrow(BudgetExceededError);
    expect(() => check(spend(0, 100_001))).toThrow(BudgetExceededError);
    const { billing } = spend(0.5, 500);
    checkBudget(billing, { cost: 0.5, tokens: 99_500 });
    expect(() => checkBudget(billing, { cost: 0.51, tokens: 0 })).toThrow(BudgetExceededError);
    expect(() => checkBudget(billing, { cost: 0, tokens: 99_501 })).toThrow(BudgetExceededError);
    expect(() => checkBudget(billing, { cost: -1, tokens: 0 })).toThrow(EnvelopeInvalidError);
    expect(() => checkBudget(spend(1, 0).billing, { cost: 0, tokens: 0 })).toThrow(BudgetExceededError);
    expect(() => checkBudget({ ...billing, cost_so_far: Number.NaN })).toThrow(BudgetExceededError);
  });

  it("takes a limit of zero as nothing, never as everything", () => {
    const { billing } = firstEnvelope({ budget: { cost_limit: 0, token_limit: 0 } });
    checkBudget(billing);
    expect(() => checkBudget(billing, { cost: 0, tokens: 0 })).toThrow(BudgetExceededError);
  });

  it("names the field it refuses", () => {
    try {
      check(chain(11));
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ failureClass: "hop_limit", paths: ["/meta/hop_count"] });
    }
  });
});

describe("createDischarge", () => {
  const dead = next(firstEnvelope());
  const base = { dead, deadDigest: DIGEST, operation: "op-1", diedAtMs: NOW_MS + 60_000 };

  it("stands in the dead message's place: same receiver, no extra hop, only the payload changed", () => {
    const discharge = checkEnvelope(
      createDischarge({ ...base, payload: { n: 2 }, caseId: dead.meta.run_id }),
    );
    expect(discharge.meta).toMatchObject({
      source_agent: "surgeon@1",
      target_agent: "refunds@1",
      parent_id: dead.meta.message_id,
      hop_count: 1,
      path: ["gateway@1", "triage@1", "surgeon@1"],
      case_id: dead.meta.run_id,
    });
    expect(discharge.data_payload).toEqual({ n: 2 });
    expect(discharge.billing).toEqual(dead.billing);
    expect(senderOf(discharge)).toBe("triage@1");
    const child = next(discharge, { from: "refunds@1", to: "reply@1" });
    expect(child.meta.hop_count).toBe(2);
    expect(child.meta).not.toHaveProperty("case_id");
    expect(createDischarge(base).data_payload).toEqual({ n: 1 });
  });

  it("gives the time that was left, and at least the default", () => {
    const nowMs = NOW_MS + 3_600_000;
    expect(createDischarge({ ...base, nowMs }).meta.expires_at).toBe("2026-01-02T01:00:00.000Z");
    expect(createDischarge({ ...base, nowMs, ttlMsMin: 0 }).meta.expires_at).toBe("2026-01-01T01:04:00.000Z");
    const late = { ...base, nowMs, ttlMsMin: 0, diedAtMs: NOW_MS + 1e9 };
    expect(createDischarge(late).meta.expires_at).toBe("2026-01-01T01:00:00.000Z");
    const endless = next(firstEnvelope({ ttlMs: null }));
    expect(createDischarge({ ...base, dead: endless }).meta.expires_at).toBeNull();
  });

  it("has one id for each operation on each dead message", () => {
    const again = createDischarge({ ...base, nowMs: NOW_MS + 5, payload: "x" });
    expect(again.meta.message_id).toBe(createDischarge(base).meta.message_id);
    expect(createDischarge({ ...base, operation: "op-2" }).meta.message_id).not.toBe(again.meta.message_id);
  });
});

describe("hopsOf", () => {
  it("counts senders after the first, but not the surgeon", () => {
    expect(hopsOf(["gateway@1"])).toBe(0);
    expect(hopsOf(["gateway@1", "a@1", "surgeon@1", "b@1", "surgeon@2"])).toBe(2);
    expect(hopsOf(["gateway@1", "surgeon-general@1"])).toBe(1);
  });
});

const turn = (i: number): Conversation["history"][number] => ({ role: "user", content: `turn ${i}` });
const result = (id: string): Conversation["history"][number] => ({
  role: "tool",
  content: "42",
  tool_call_id: id,
});

describe("trimHistory", () => {
  it("keeps the last fifty messages and counts what was cut", () => {
    const history = Array.from({ length: 70 }, (_, i) => turn(i));
    const trimmed = trimHistory({ history, tool_state: {}, metadata: { note: 1 } });
    expect(trimmed.history).toEqual(history.slice(20));
    expect(trimmed.metadata).toEqual({ note: 1, trimmed: { messages: 20, tool_results: 0 } });
    const later = trimHistory({ ...trimmed, history: [...trimmed.history, turn(70)] });
    expect(later.metadata["trimmed"]).toEqual({ messages: 21, tool_results: 0 });
  });

  it("drops results of calls that are over and keeps those that somebody waits for", () => {
    const trimmed = trimHistory({
      history: [turn(0), result("done"), result("active"), result("asked"), result("named")],
      tool_state: {
        active_calls: ["active", { tool_call_id: "named" }],
        pending_approvals: [{ id: "asked" }],
      },
      metadata: {},
    });
    expect(trimmed.history).toEqual([turn(0), result("active"), result("asked"), result("named")]);
    expect(trimmed.metadata["trimmed"]).toEqual({ messages: 0, tool_results: 1 });
  });

  it("leaves a short conversation as it is, survives odd tool state, and trimming twice changes nothing", () => {
    const short = { history: [turn(0)], tool_state: { active_calls: null }, metadata: { trimmed: "odd" } };
    expect(trimHistory(short)).toBe(short);
    const messages = fc.array(fc.constantFrom(turn(1), result("a"), result("b")), { maxLength: 120 });
    fc.assert(
      fc.property(messages, (history) => {
        const toolState = { active_calls: [{ call_id: "a" }] };
        const once = trimHistory({ history, tool_state: toolState, metadata: {} });
        expect(once.history.length).toBeLessThanOrEqual(50);
        expect(trimHistory(once)).toEqual(once);
      }),
      { numRuns: 100 },
    );
  });
});

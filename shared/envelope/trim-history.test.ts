import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { trimHistory } from "./create-next.ts";
import type { Conversation } from "./envelope.ts";

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
      fc.property(messages, fc.nat(60), (history, max) => {
        const once = trimHistory(
          { history, tool_state: { active_calls: [{ call_id: "a" }] }, metadata: {} },
          max,
        );
        expect(once.history.length).toBeLessThanOrEqual(max);
        expect(trimHistory(once, max)).toEqual(once);
      }),
      { numRuns: 100 },
    );
  });
});

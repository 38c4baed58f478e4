import { expect, test } from "vitest";
import { layHops } from "./lay-hops.ts";
import type { RunInFull } from "./lay-hops.ts";

const at = (ms: number): string => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();

const HOP = {
  message_id: "m",
  agent: "pay",
  hop: 0,
  attempt: 2,
  contract: null,
  sent_at: at(100),
  accepted_at: at(150),
  waited_ms: 50,
  ended_at: at(900),
  ms: 300,
  tokens: 0,
  cost: 0,
  model: null,
  outcome: "in_ward",
  failure: null,
  next: [],
};

function runOf(
  events: readonly (readonly [type: string, ms: number, detail?: Record<string, unknown>])[],
): RunInFull {
  return {
    run_id: "r",
    trace_id: "",
    team: "t",
    status: "in_ward",
    created_at: at(0),
    ended_at: null,
    billing: { cost_so_far: 0, tokens_consumed: 0, currency: "USD" },
    waiting: { open: 0, in_ward: 1, quarantined: 0 },
    result: null,
    error: null,
    rehearsed: false,
    hops: [HOP],
    events: events.map(([type, ms, detail = {}], index) => ({
      id: String(index),
      run_id: "r",
      type,
      at: at(ms),
      message_id: "m",
      agent: "pay",
      detail,
    })),
  };
}

test("tells waiting, work that was tried again, work that failed and the time at the surgeon apart", () => {
  const run = runOf([
    ["accepted", 150],
    ["retry", 250, { ms: 100 }],
    ["accepted", 400],
    ["in_ward", 600, { ms: 200 }],
  ]);
  const { rows, totalMs } = layHops(run, Date.parse(at(1000)));
  expect(totalMs).toBe(1000);
  expect(rows[0]?.spans).toEqual([
    { kind: "wait", from: 100, to: 150 },
    { kind: "again", from: 150, to: 250 },
    { kind: "wait", from: 250, to: 400 },
    { kind: "failed", from: 400, to: 600 },
    { kind: "ward", from: 600, to: 1000 },
  ]);
});

// @vitest-environment jsdom
import { expect, it } from "vitest";
import { groupNeeds, KINDS, systemNeeds } from "./home.tsx";
import type { Group, Overview } from "./home.tsx";

const agent = (name: string, model: string | null, isLive = true): Overview["agents"][number] => ({
  agent: name,
  id: `${name}@1`,
  team: "shop",
  description: "",
  accepts: "order@1",
  hands_to: [],
  capabilities: [],
  outside: false,
  declared: true,
  live: isLive
    ? [
        {
          instance: "a",
          version: 1,
          pid: 1,
          concurrency: 1,
          state: "working",
          restarts: 0,
          started_at: "2026-01-01T00:00:00Z",
          seen_at: "2026-01-01T00:00:00Z",
          waits_for_model:
            model === null ? null : { model, reason: "circuit", since: "2026-01-01T00:00:00Z" },
        },
      ]
    : [],
});

const overview: Overview = {
  at: "2026-01-01T00:00:00Z",
  equation: {
    submitted: 1,
    completed: 1,
    failed: 0,
    cancelled: 0,
    expired: 0,
    waiting: 0,
    lost: 0,
    balanced: true,
    shards_away: 0,
  },
  runs: {},
  ward: { admitted: 0, in_surgery: 0, quarantined: 0, discharged: 0, released: 0, discarded: 0 },
  queues: [],
  agents: [],
  surgery_limits: { cost_per_case: 1, cost_per_hour: 1, cost_per_group: 1 },
  surgery_held: null,
};

it("asks for nobody while everything is well", () => {
  expect(systemNeeds({ ...overview, agents: [agent("pack", null)] })).toEqual([]);
});

it("names a model once for all agents that wait for it, and agents without a process together", () => {
  const agents = [agent("pack", "gpt"), agent("bill", "gpt"), agent("mail", null, false)];
  const needs = systemNeeds({ ...overview, agents });
  expect(needs.map((need) => `${KINDS[need.of].kind}: ${need.what}`)).toEqual([
    "model away: gpt: pack, bill wait",
    "no process: mail: nothing waits there",
  ]);
});

it("says how much the limit of an hour holds back, and that runs are unaccounted for", () => {
  const needs = systemNeeds({
    ...overview,
    equation: { ...overview.equation, lost: 2, balanced: false },
    surgery_held: { since_ms: 5, until_ms: 9, refusals: 3 },
  });
  expect(needs.map((need) => [KINDS[need.of].kind, need.since])).toEqual([
    ["equation off", undefined],
    ["money spent", 5],
  ]);
  expect(needs[0]?.what).toBe("2 messages lost");
});

it("asks for a signature where something is proposed, also of a group that somebody looks after", () => {
  const group: Group = {
    fingerprint: "shop/validation_error/1",
    count: 3,
    open: 3,
    quarantined: 3,
    proposed: 2,
    first_seen_ms: 1,
    last_seen_ms: 2,
    producer: "desk@1|order@1|-|-",
    cause: [],
    lifecycle: "acknowledged",
    version: 1,
    marked_ms: 2,
    acknowledged_until_ms: null,
    resolution: null,
    regression: null,
    sent_on: 0,
    replays: 0,
    cost: 0,
    trend: [],
    rest: { until_ms: null, why: "", waiting: 0 },
    attention: "looked_after",
  };
  const said = (one: Group) => groupNeeds([one]).map(({ of, what }) => [of, what]);
  expect(said(group)).toEqual([["proposed", "2 proposals to sign"]]);
  expect(said({ ...group, attention: "waiting" })).toEqual([
    ["proposed", "2 proposals to sign"],
    ["waiting", "3 cases wait"],
  ]);
  expect(said({ ...group, proposed: 0 })).toEqual([]);
});

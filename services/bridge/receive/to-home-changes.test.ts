import { expect, it } from "vitest";
import { rankOf } from "#shared/store/runs";
import type { RunChange } from "#shared/store/runs";
import { toHomeChanges } from "./to-home-changes.ts";

const told: RunChange = {
  event: {
    id: "m-1/retry",
    run_id: "r-1",
    type: "retry",
    at: "2026-01-01T00:00:00.000Z",
    message_id: "m-1",
    agent: "refunds",
    detail: { attempt: 1 },
  },
  cost: 0.5,
  tokens: 3,
};

it("keeps events of a peer apart from ours of the same message, with what they cost", () => {
  expect(toHomeChanges(told, "us")).toEqual([
    { ...told, event: { ...told.event, id: "us/m-1/retry", detail: { attempt: 1, cluster: "us" } } },
  ]);
});

it("has every message away that a peer holds or creates, before it is opened", () => {
  const opens = [{ message_id: "m-2", agent: "reply", branch: "f/3" }];
  const changes = toHomeChanges({ ...told, opens, moves: { state: "open", rank: 4 } }, "us");
  expect(
    changes.map(({ event, moves, branch }) => [event.id, event.message_id, event.agent, moves, branch]),
  ).toEqual([
    ["us/m-2/carried", "m-2", "reply", { state: "away", rank: 0 }, "f/3"],
    ["us/m-1/retry", "m-1", "refunds", { state: "away", rank: 4 }, undefined],
  ]);
  expect(changes[1]?.opens).toEqual(opens);
});

it.each([
  ["in_ward", rankOf.ward(0), rankOf.wardElsewhere(rankOf.ward(0))],
  ["quarantined", rankOf.ward(7), rankOf.wardElsewhere(rankOf.ward(7))],
  ["closed", rankOf.ward(8), rankOf.wardElsewhere(rankOf.ward(8))],
  ["closed", rankOf.closed(), rankOf.closed()],
] as const)(
  "ranks what is %s over there so that the order stays and no case is looked for here",
  (state, rank, at) => {
    const [change] = toHomeChanges({ ...told, moves: { state, rank } }, "us");
    expect(change?.moves).toEqual({ state, rank: at });
    expect(at).toBeLessThanOrEqual(rankOf.closed());
  },
);

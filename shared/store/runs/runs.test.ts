import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { uuidv7 } from "#shared/clock";
import { openTestStore } from "#shared/testing";
import type { Store } from "../store.ts";
import { rankOf } from "./run-event.ts";
import type { RunChange } from "./run-event.ts";
import type { RunStatus } from "./run-record.ts";

async function accept(store: Store, more: { runId?: string; webhook?: string; waitingMax?: number } = {}) {
  const { runId = uuidv7() } = more;
  const accepted = await store.runs.accept({
    runId,
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    team: "t",
    send: { lane: "fresh", agent: "a", jobId: `${runId}-0`, data: {}, delayMs: 0, priority: "normal" },
    ...(more.webhook === undefined ? {} : { webhook: more.webhook }),
    idempotency: null,
    idempotencyLifeMs: 60_000,
    waitingMax: more.waitingMax ?? 1000,
  });
  return { runId, accepted };
}

interface Told {
  readonly message: number;
  readonly state: "open" | "in_ward" | "quarantined" | "closed";
  readonly rank: number;
  readonly opens?: readonly number[];
  readonly end?: "failed" | "expired";
}

function change(runId: string, told: Told): RunChange {
  const id = `${runId}-${told.message}`;
  return {
    event: {
      id: `${id}:${told.rank}`,
      run_id: runId,
      type: "completed",
      at: "2026-01-01T00:00:00.000Z",
      message_id: id,
      agent: "a",
      detail: {},
    },
    moves: { state: told.state, rank: told.rank },
    opens: (told.opens ?? []).map((message) => ({ message_id: `${runId}-${message}`, agent: "a" })),
    ...(told.end === undefined ? {} : { end: told.end }),
  };
}

/** A run's whole story: a tree of messages, each with retries, a time in the ward, and an end. */
const storyOf = fc
  .array(
    fc.record({
      parent: fc.nat(),
      retries: fc.nat({ max: 2 }),
      ward: fc.constantFrom("no", "in_ward", "quarantined"),
      end: fc.constantFrom("closed", "failed", "expired", "stays"),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((nodes) => {
    const children = nodes.map(() => [] as number[]);
    for (let i = 1; i < nodes.length; i += 1) children[(nodes[i]?.parent ?? 0) % i]?.push(i);
    const told: Told[] = nodes.flatMap((node, message) => {
      const own: Told[] = [];
      for (let n = 1; n <= node.retries; n += 1)
        own.push({ message, state: "open", rank: rankOf.delivery(n) });
      if (node.ward !== "no") own.push({ message, state: node.ward, rank: rankOf.ward(0) });
      const hasChildren = (children[message] ?? []).length > 0;
      if (node.end !== "stays" || hasChildren) {
        own.push({
          message,
          state: "closed",
          rank: rankOf.closed(),
          opens: children[message] ?? [],
          ...(node.end === "failed" || node.end === "expired" ? { end: node.end } : {}),
        });
      }
      return own;
    });
    return { told, expected: expectedStatus(nodes, children) };
  });

function expectedStatus(
  nodes: readonly { retries: number; ward: string; end: string }[],
  children: readonly (readonly number[])[],
): RunStatus[] {
  const waiting = nodes.filter((node, i) => node.end === "stays" && (children[i] ?? []).length === 0);
  if (waiting.length === 0) {
    if (nodes.some((node) => node.end === "failed")) return ["failed"];
    return nodes.some((node) => node.end === "expired") ? ["expired"] : ["completed"];
  }
  if (waiting.some((node) => node.ward === "no")) return ["running", "queued"];
  return waiting.some((node) => node.ward === "in_ward") ? ["in_ward"] : ["quarantined"];
}

describe("a run's record", () => {
  it.each([
    ["opened", "postponed"],
    ["postponed", "opened"],
  ] as const)(
    "keeps a message's branch when a worker that cannot open it puts it off: %s, then %s",
    async (...order) => {
      const store = openTestStore();
      const { runId } = await accept(store);
      const branch = "fan-out/0";
      const child = `${runId}-1`;
      const opened = change(runId, { message: 0, state: "closed", rank: rankOf.closed() });
      const changes = {
        opened: { ...opened, opens: [{ message_id: child, agent: "a", branch }] },
        // Of an envelope that is not open there is nothing to tell but its id.
        postponed: change(runId, { message: 1, state: "open", rank: rankOf.delivery(1) }),
      };
      for (const name of order) await store.journal.apply([changes[name]]);
      const messages = await store.runs.messages(runId);
      expect(messages.find(({ message_id }) => message_id === child)).toMatchObject({
        state: "open",
        branch,
      });
    },
  );

  it("comes to the same state in whatever order its events arrive, however often they are told", async () => {
    const store = openTestStore();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(storyOf, fc.infiniteStream(fc.nat()), async ({ told, expected }, dice) => {
        const { runId } = await accept(store);
        runs += 1;
        const shuffled = told
          .flatMap((one) => ((dice.next().value ?? 0) % 3 === 0 ? [one, one] : [one]))
          .map((one) => ({ one, at: dice.next().value ?? 0 }))
          .toSorted((a, b) => a.at - b.at);
        for (const { one } of shuffled) await store.journal.apply([change(runId, one)]);
        const run = await store.runs.get(runId);
        // A message that is closed before its parent tells of it may end a run early only if nothing is open: never.
        expect(expected).toContain(run.status);
        const counts = await store.runs.counts();
        const { submitted, ...states } = counts;
        expect(Object.values(states).reduce((sum, n) => sum + n, 0)).toBe(submitted);
        expect(submitted).toBe(runs);
        expect(Object.values(states).every((n) => n >= 0)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it("keeps events in order, readable from any position", async () => {
    const store = openTestStore();
    const { runId } = await accept(store);
    for (let n = 1; n <= 5; n += 1) {
      await store.journal.apply([change(runId, { message: 0, state: "open", rank: rankOf.delivery(n) })]);
    }
    const tail = await store.runs.events(runId, { from: 3, limit: 10 });
    expect(tail.map((event) => event.id)).toEqual([4, 5, 6].map((rank) => `${runId}-0:${rank}`));
  });
});

describe("accepting a task", () => {
  it("refuses what is above the limit of waiting runs", async () => {
    const store = openTestStore();
    await accept(store, { waitingMax: 1 });
    expect((await accept(store, { waitingMax: 1 })).accepted).toEqual({ kind: "full", waiting: 1 });
  });
});

it("writes no webhook in place of one that was removed or written anew since it was read", async () => {
  const store = openTestStore();
  const { runId } = await accept(store, { webhook: "first" });
  await store.webhooks.replace(runId, { from: "first", to: "told" });
  await store.webhooks.replace(runId, { from: "first", to: "told late" });
  expect(await store.webhooks.find(runId)).toBe("told");
  await store.redis.del(store.keys.run(runId));
  await store.webhooks.replace(runId, { from: "told", to: "told late" });
  expect(await store.redis.exists(store.keys.run(runId))).toBe(0);
});

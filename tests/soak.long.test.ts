import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import type { Store } from "#shared/store";
import type { RunCounts } from "#shared/store/runs";
import { auditRuns, retireRuns } from "#shared/store/upkeep";
import { createTestSystem } from "#shared/testing";
import { findCases } from "#shared/ward";
import { decide } from "#shared/ward/decisions";
import { operateOn } from "./support/operate-on.ts";

const RUNS = 400;
const RETENTION_MS = 1500;
const TTL_MS = 20_000;

/** Fate of a run; `flaky` fails once, `broken` is healed, a person discards `refused`, `hopeless` always throws. */
const MOODS = ["plain", "flaky", "broken", "refused", "late", "unwanted", "hopeless"] as const;

/** Four of five runs are plain. */
const moodOf = (n: number): (typeof MOODS)[number] =>
  MOODS[n % 5 === 0 ? (n / 5) % MOODS.length : 0] ?? "plain";

/** A chain of three: retries, recorded steps, side effects and a ward's work all occur in it. */
function createSoakTeam() {
  const Task = contract("soak.task@1", z.object({ n: z.int(), mood: z.enum(MOODS) }));
  const troubled = new Set<number>();
  const first = agent("first@1", {
    accepts: Task,
    to: { second: Task },
    handle: async (task, ctx) => {
      await ctx.step("read", () => ({ n: task.n }));
      if (task.mood === "refused") return ctx.reject("it is not for us");
      if (task.mood === "hopeless") throw new Error("the handler is at fault");
      return ctx.handoff("second", task);
    },
  });
  const second = agent("second@1", {
    accepts: Task,
    to: { third: Task },
    handle: async (task, ctx) => {
      if (task.mood === "flaky" && !troubled.has(task.n)) {
        troubled.add(task.n);
        throw new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNRESET" }) });
      }
      await ctx.once(`effect:${task.n}`, async (key) => ({ key }));
      return ctx.handoff("third", task);
    },
  });
  const third = agent("third@1", { accepts: Task, handle: (task, ctx) => ctx.complete({ n: task.n }) });
  return team("soak", [first, second, third]);
}

/** Agents and a surgeon without a model in one process, which retire what has ended. */
async function openSoak() {
  const system = createTestSystem(createSoakTeam(), {
    store: { retentionMs: RETENTION_MS, ledgerLifeMs: RETENTION_MS / 2, taskLifeMs: TTL_MS },
    retry: { delayMs: 50 },
    takesIn: false,
  });
  const { store } = system;
  await system.start({ concurrency: 25, lockMs: 30_000, stalledIntervalMs: 5000, retireEveryMs: 500 });
  const limits = { surgeonCostPerCase: 0, retentionMs: RETENTION_MS };
  operateOn(system, { limits, upkeepMs: 200 });
  const submit = async (n: number): Promise<void> => {
    const mood = moodOf(n);
    const payload = { n: mood === "broken" ? String(n) : n, mood };
    const { runId } = await system.submit(
      payload,
      { ttlMs: mood === "late" ? 1 : TTL_MS },
      { idempotency: { key: randomUUID(), digest: mood }, idempotencyLifeMs: RETENTION_MS },
    );
    if (mood !== "unwanted") return;
    await store.runs.cancel({ runId, by: "soak", markLifeMs: RETENTION_MS });
  };
  /** Deletes aged runs, as a gateway does, and discards what waits for a person, as an operator does. */
  const cleanUp = async (): Promise<void> => {
    await retireRuns(store);
    const { cases } = await findCases(store, { filter: { status: "quarantined" }, limit: 200 });
    const waiting = cases.filter((one) => one.decision === null);
    const discard = { decision: "discard", by: "soak", why: "It belongs to a soak." } as const;
    await Promise.allSettled(waiting.map((one) => decide(store, { case_id: one.case_id, ...discard })));
  };
  return { store, submit, cleanUp, prefix: store.options.prefix };
}

const openRuns = (counts: RunCounts): number =>
  counts.queued + counts.running + counts.in_ward + counts.quarantined;

function expectBalance(counts: RunCounts): void {
  const { submitted, completed, failed, cancelled, expired } = counts;
  expect(submitted).toBe(completed + failed + cancelled + expired + openRuns(counts));
}

/** Kind of a key, without its owner: ids, agents and hashes are taken out of its name. */
function kindOf(key: string): string {
  return key
    .replace(/^[^:{]*:/, "")
    .replace(/^(\{s0\}:)[^:]+/, "$1queue")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}(?:\.\d+)?|[0-9a-f]{64}/g, "*")
    .replace(
      /((?:^ward:\{s0\}|\/feedback)\/(?:cost|cost-held|endpoint|(?:rates|handoffs|costs):[mhd])):.*/,
      "$1:*",
    );
}

/** Kinds of keys that belong to no run: a fixed number, for each agent or minute; decisions' numbers stay 30 days. */
const FOR_EVER =
  /^(?:(?:\{s0\}:queue|ward:\{s0\}:ward):(?:meta|events|marker|completed|stalled-check|id|pc|limiter)|ward:\{s0\}\/(?:audit|audit-seq|counts|producers|cost:\*|cost-held:\*|batch-leader)|\{s0\}\/feedback\/(?:endpoint:\*|(?:rates|handoffs|costs):[mhd]:\*)|\{s0\}\/runs\/(?:counts|owners)|\{registry\}\/(?:agents|surgeons|services|format|shard))$/;

async function keysByKind({ redis }: Store, prefix: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of (await redis.keys(`${prefix}:*`)).map(kindOf)) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

it("leaves nothing of ended runs but their counts once the retention is over, and loses none on the way", async () => {
  const { store, submit, cleanUp, prefix } = await openSoak();
  for (let begun = 0; begun < RUNS; begun += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, at) => submit(begun + at)));
    expectBalance(await store.runs.counts());
    await cleanUp();
  }
  const within = { timeout: 60_000, interval: 200 };
  const left = async (): Promise<number> => {
    await cleanUp();
    return openRuns(await store.runs.counts());
  };
  await expect.poll(left, within).toBe(0);
  const hasCase = async (id: string): Promise<boolean> =>
    (await findCases(store, { filter: { text: id }, limit: 1 })).cases.length > 0;
  expect((await auditRuns(store, hasCase)).lost).toEqual([]);
  expect(await store.runs.counts()).toMatchObject({ submitted: RUNS });
  await sleep(RETENTION_MS);
  const remains = async (): Promise<string[]> => {
    await cleanUp();
    return Object.keys(await keysByKind(store, prefix)).filter((kind) => !FOR_EVER.test(kind));
  };
  await expect.poll(remains, within).toEqual([]);
  // Four agents' and the ward's fixed keys; a kind that grew by the run would be here by the hundred.
  for (const [kind, keys] of Object.entries(await keysByKind(store, prefix)))
    expect({ kind, few: keys < 20 }).toEqual({ kind, few: true });
});

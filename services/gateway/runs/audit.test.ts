import { expect, it } from "vitest";
import { z } from "zod";
import { sleep } from "#shared/clock";
import { contract } from "#shared/contract";
import { fanOut, join } from "#shared/patterns";
import { agent, team } from "#shared/runtime";
import { awayError } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { findCases } from "#shared/ward";
import { startTestGateway } from "../testing/start-test-gateway.ts";
import type { TestGateway } from "../testing/start-test-gateway.ts";

const Note = contract("audit.note@1", z.object({ text: z.string() }));

function teamOf() {
  const calls: string[] = [];
  const first = agent("audit-first@1", {
    accepts: Note,
    to: { "audit-second": Note },
    handle: (note, ctx) => ctx.handoff("audit-second", note),
  });
  const second = agent("audit-second@1", {
    accepts: Note,
    handle: ({ text }, ctx) => {
      calls.push(text);
      return ctx.complete(text);
    },
  });
  return { calls, team: team("audit", [first, second]) };
}

const BOUNDS = { auditEveryMs: 50, auditGraceMs: 300, auditRunsMax: 10 };

interface Stats {
  readonly equation: { readonly lost: number; readonly balanced: boolean };
  readonly audit: { readonly lost: readonly { readonly run_id: string }[]; readonly relisted: number };
}

async function statsOf(gateway: TestGateway): Promise<Stats> {
  return (await (await gateway.send("/v1/stats")).json()) as Stats;
}

async function submit(gateway: TestGateway, text: string, more: object = {}): Promise<string> {
  const reply = await gateway.post("/v1/tasks", { team: "audit", input: { text }, ...more });
  return ((await reply.json()) as { run_id: string }).run_id;
}

/** The id of the one message that a run waits for. */
async function openMessageOf({ store }: TestSystem, runId: string): Promise<string> {
  const open = (await store.runs.messages(runId)).filter(({ state }) => state === "open");
  expect(open).toHaveLength(1);
  return open[0]?.message_id ?? "";
}

/** Removals of jobs by tools. */
const REMOVALS: Readonly<
  Record<string, (system: TestSystem, agentName: string, id: string) => Promise<unknown>>
> = {
  "the board's delete": ({ store }, name, id) => store.queues.of(name, "fresh").remove(id),
  "an obliterated queue": ({ store }, name) => store.queues.of(name, "fresh").obliterate({ force: true }),
  "a drained queue": ({ store }, name) => store.queues.of(name, "fresh").drain(true),
  "a deleted list": ({ store }, name) => store.redis.del(store.keys.job(name, "wait")),
  "a deleted job and list": ({ store }, name, id) =>
    store.redis.del(store.keys.job(name, "wait"), store.keys.job(name, id)),
};

it("says which runs have lost a message, whatever tool removed it, and ends their waiting", async () => {
  for (const [tool, remove] of Object.entries(REMOVALS)) {
    const { team: pair, calls } = teamOf();
    const gateway = await startTestGateway({ team: pair, bounds: BOUNDS });
    const { system } = gateway;
    const lost = await submit(gateway, tool);
    const between = await system.start({ only: ["audit-first"] });
    const second = async () =>
      (await system.store.runs.messages(lost)).some((one) => one.agent === "audit-second");
    await expect.poll(second, { message: tool }).toBe(true);
    const id = await openMessageOf(system, lost);
    await expect.poll(() => system.store.redis.exists(system.store.keys.job("audit-second", id))).toBe(1);
    await remove(system, "audit-second", id);
    await expect
      .poll(() => statsOf(gateway))
      .toMatchObject({
        equation: { lost: 1, balanced: false },
        audit: { lost: [{ run_id: lost, message_id: id, agent: "audit-second" }], relisted: 1 },
      });
    expect(await (await gateway.send("/metrics")).text()).toContain("suture_messages_lost 1");
    await between.stop(0);
    await system.start();
    if (tool === "a deleted list") {
      // Its bytes were left.
      expect(await system.until(lost), tool).toMatchObject({ status: "completed", result: tool });
    } else {
      expect((await system.until(lost, ["quarantined"])).status, tool).toBe("quarantined");
      const cases = async () => (await findCases(system.store, { filter: { run_id: lost }, limit: 9 })).cases;
      await expect.poll(cases).toMatchObject([{ message_id: id, status: "quarantined" }]);
      expect(calls).toEqual([]);
    }
    await expect.poll(() => statsOf(gateway)).toMatchObject({ equation: { lost: 0, balanced: true } });
  }
});

it("ends a run as expired whose message is gone and whose agent nobody works for", async () => {
  const { team: pair } = teamOf();
  const gateway = await startTestGateway({ team: pair, bounds: BOUNDS });
  const { system } = gateway;
  const runId = await submit(gateway, "late", { ttl_ms: 1000 });
  const id = await openMessageOf(system, runId);
  await system.store.queues.of("audit-first", "fresh").remove(id);
  expect(await system.until(runId)).toMatchObject({ status: "expired", error: { code: "MESSAGE_GONE" } });
  expect(await statsOf(gateway)).toMatchObject({
    equation: { expired: 1, waiting: 0 },
  });
  await expect.poll(() => statsOf(gateway)).toMatchObject({ equation: { lost: 0, balanced: true } });
});

/** Puts messages off, to the ward, and into fan-outs of which only two branches are under way. */
function busyTeam() {
  const seen = new Set<string>();
  const desk = agent("audit-first@1", {
    accepts: Note,
    to: { "audit-worker": Note, "audit-join": Note },
    handle: ({ text }, ctx) => {
      // Text in the place of an object: the receiver's contract does not take it.
      if (text.startsWith("bad")) return ctx.handoff("audit-worker", Object("none"));
      if (!text.startsWith("many")) return ctx.handoff("audit-worker", { text });
      return fanOut({
        branches: [1, 2, 3, 4, 5].map((n) => ctx.handoff("audit-worker", { text: `branch ${text}-${n}` })),
        join: ctx.handoff("audit-join", { text }),
        window: 2,
      });
    },
  });
  const worker = agent("audit-worker@1", {
    accepts: Note,
    to: { "audit-join": Note },
    handle: async ({ text }, ctx) => {
      const isFirst = !seen.has(text);
      seen.add(text);
      if (isFirst) throw awayError();
      await sleep(20);
      return text.startsWith("branch") ? ctx.handoff("audit-join", { text }) : ctx.complete(text);
    },
  });
  const end = join("audit-join@1", {
    accepts: Note,
    collects: Note,
    handle: (_, { answers }, ctx) => ctx.complete(answers.length),
  });
  return team("audit", [desk, worker, end]);
}

it("raises no alarm over messages on their way, in hand, put off, in a fan-out or in the ward", async () => {
  const bounds = { ...BOUNDS, auditEveryMs: 5, auditGraceMs: 0 };
  const gateway = await startTestGateway({ team: busyTeam(), bounds });
  const { system } = gateway;
  await system.start();
  const texts = Array.from({ length: 30 }, (_, n) => [`plain-${n}`, `many-${n}`, `bad-${n}`]).flat();
  const runs = await Promise.all(texts.map((text) => submit(gateway, text)));
  for (const [n, runId] of runs.entries()) {
    const isBad = texts[n]?.startsWith("bad") === true;
    const { status } = await system.until(runId, isBad ? ["in_ward"] : ["completed"]);
    expect(status).toBe(isBad ? "in_ward" : "completed");
  }
  await sleep(200);
  expect(await statsOf(gateway)).toMatchObject({
    equation: { waiting: 30, lost: 0, balanced: true },
    audit: { relisted: 0, expired: 0, done_at: expect.any(String) },
  });
});

it("says so when a counter and its list differ, and when a run's record is gone", async () => {
  const { team: pair } = teamOf();
  const gateway = await startTestGateway({ team: pair, bounds: BOUNDS });
  const { store } = gateway.system;
  const runId = await submit(gateway, "one");
  await submit(gateway, "two");
  await expect.poll(() => statsOf(gateway)).toMatchObject({ equation: { balanced: true } });
  await store.redis.del(store.keys.run(runId), `${store.keys.run(runId)}:messages`);
  await expect
    .poll(() => statsOf(gateway))
    .toMatchObject({
      equation: { lost: 1, balanced: false },
      audit: { lost: [{ run_id: runId, message_id: "" }] },
    });
  await store.redis.zrem(store.keys.runs("index:queued"), runId);
  await expect
    .poll(() => statsOf(gateway))
    .toMatchObject({
      audit: { differs: [{ status: "queued", counted: 2, listed: 1 }] },
    });
});

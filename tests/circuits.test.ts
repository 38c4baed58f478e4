import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import type { Team, TeamOptions } from "#shared/runtime";
import { Store } from "#shared/store";
import type { CircuitState } from "#shared/store/feedback";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { openModel, PRICED } from "./support/open-model-system.ts";
import { untilTrue } from "./support/redis-servers.ts";

const TURN_MS = 30;
/** Long enough that nothing goes on trial by itself while a test looks. */
const LONG_MS = 600_000;

const Order = contract("circuit.order@1", z.object({ id: z.string() }));
const Part = contract("circuit.part@1", z.object({ id: z.string(), holes: z.number(), by: z.string() }));

type Circuit = NonNullable<TeamOptions["circuits"]>[string];

interface Works {
  readonly team: Team;
  /** What the maker makes from now on. */
  isBad: boolean;
}

/** Orders go to a maker, and what it makes goes to a store-room. The spare maker takes the same orders. */
function openWorks(circuit: Circuit): Works {
  const works: { isBad: boolean } = { isBad: true };
  const store = agent("room@1", {
    accepts: Part,
    handle: (part, ctx) =>
      ctx.complete({ ...part, path: ctx.envelope.meta.path, why: ctx.envelope.meta.reason }),
  });
  const maker = agent("maker@1", {
    accepts: Order,
    to: { room: Part },
    handle: ({ id }, ctx) =>
      // A model's answer behind a cast, say.
      ctx.handoff(
        "room",
        { id, holes: (works.isBad ? "three" : 3) as number, by: "maker" },
        { reason: ctx.envelope.meta.reason },
      ),
  });
  const spare = agent("spare@1", {
    accepts: Order,
    to: { room: Part },
    handle: ({ id }, ctx) =>
      ctx.handoff("room", { id, holes: 3, by: "spare" }, { reason: ctx.envelope.meta.reason }),
  });
  const desk = agent("front@1", {
    accepts: Order,
    to: { maker: Order, spare: Order },
    handle: (asked, ctx) => ctx.handoff("maker", asked),
  });
  const declared = { outputsMin: 4, trialOutputs: 2, cooldownMs: LONG_MS, ...circuit };
  return Object.assign(works, {
    team: team("works", [desk, maker, spare, store], { circuits: { maker: declared } }),
  });
}

const start = (system: TestSystem, more: object = {}) => system.start({ circuitsEveryMs: TURN_MS, ...more });

async function order(system: TestSystem, count: number): Promise<string[]> {
  const runs = await Promise.all(
    Array.from({ length: count }, (_, i) => system.submit({ id: `order ${i}` })),
  );
  return runs.map(({ runId }) => runId);
}

async function spoil(system: TestSystem, count = 5): Promise<void> {
  const runs = await order(system, count);
  await Promise.all(runs.map((runId) => system.until(runId, ["in_ward"])));
  await untilCounted(system);
}

/** A run is in the ward before its message is, and the message before it is counted. */
async function untilCounted(system: TestSystem): Promise<void> {
  await untilTrue(async () => {
    const [rates, { in_ward }] = await Promise.all([
      system.store.rates.read("hour"),
      system.store.runs.counts(),
    ]);
    return rates.reduce((sum, { malformed }) => sum + malformed, 0) === in_ward;
  });
}

const untilState = (system: TestSystem, state: CircuitState, name = "maker") =>
  untilTrue(async () => (await system.store.circuits.find(name))?.state === state);

async function resultsOf(system: TestSystem, runs: readonly string[]): Promise<Record<string, unknown>[]> {
  const ended = await Promise.all(runs.map((runId) => system.until(runId)));
  return ended.map(({ result }) => result as Record<string, unknown>);
}

async function waitingAt(system: TestSystem, name: string): Promise<number> {
  return (await system.store.queues.of(name, "fresh").getJobCounts("waiting"))["waiting"] ?? 0;
}

/** Until the agents' processes have told what they made so many times, and done as the circuits say. */
async function turns(system: TestSystem, count: number, name = "maker"): Promise<void> {
  const heard = new Set<string | null>();
  await untilTrue(async () => {
    heard.add(await system.store.redis.zscore(system.store.keys.feedback("circuits"), name));
    return heard.size > count;
  });
}

/** Until nothing is taken from the maker's queue any more: a fetch that was under way still brings one message. */
async function untilHeld(system: TestSystem): Promise<string[]> {
  const probes: string[] = [];
  await untilTrue(async () => {
    probes.push(...(await order(system, 1)));
    await turns(system, 6);
    return (await waitingAt(system, "maker")) > 0;
  });
  return probes;
}

async function expectNothingLost(system: TestSystem): Promise<void> {
  const counts = await system.store.runs.counts();
  const ended = counts.completed + counts.failed + counts.cancelled + counts.expired;
  expect(ended + counts.queued + counts.running + counts.in_ward + counts.quarantined).toBe(counts.submitted);
}

it("holds the queue of a paused producer in every process, and goes on when its trial went well", async () => {
  const works = openWorks({ reaction: { kind: "pause" }, trialShare: 0.5 });
  const system = createTestSystem(works.team);
  await start(system);
  const other = new Store(system.store.options);
  onTestFinished(() => other.close());
  await start(system, { store: other });
  await spoil(system, 6);
  await untilState(system, "open");
  await untilHeld(system);
  const runs = await order(system, 8);
  await untilTrue(async () => (await waitingAt(system, "maker")) === 9);
  await turns(system, 10);
  expect(await waitingAt(system, "maker")).toBe(9);
  await expectNothingLost(system);
  works.isBad = false;
  // An operator closes it: the same way out as a trial's, and at a time that the test chooses.
  expect(await system.store.circuits.set({ agent: "maker", to: "closed", by: "ada", why: "mended" })).toBe(
    "set",
  );
  const results = await resultsOf(system, runs);
  expect(results.map(({ by }) => by)).toEqual(Array.from({ length: 8 }, () => "maker"));
  await expectNothingLost(system);
});

it("sends work to the declared agent meanwhile, sealed for it, and a share to the first on trial", async () => {
  const works = openWorks({ reaction: { kind: "fall_back", agent: "spare" }, trialShare: 0.5 });
  const system = createTestSystem(works.team);
  await start(system);
  await spoil(system);
  await untilState(system, "open");
  const runs = await order(system, 1);
  await untilTrue(async () => {
    const [probe = ""] = await order(system, 1);
    runs.push(probe);
    return (await system.until(probe, ["completed", "in_ward"])).status === "completed";
  });
  works.isBad = false;
  const [result] = await resultsOf(system, runs.slice(-1));
  expect(result).toMatchObject({ by: "spare", path: ["gateway@1", "front@1", "spare@1"] });
  expect(result?.["why"]).toBe("in place of maker, whose circuit is open");
  // Its time is over, as far as Redis knows; the trial's share now goes to the first again, and decides.
  await untilCounted(system);
  await system.store.redis.hset(system.store.keys.feedback("circuit:maker"), "until_ms", 1);
  await untilState(system, "half_open");
  const trial: string[] = [];
  await untilTrue(async () => {
    trial.push(...(await order(system, 2)));
    return (await system.store.circuits.find("maker"))?.state === "closed";
  });
  const makers = new Set((await resultsOf(system, trial)).map(({ by }) => by));
  expect(makers).toContain("maker");
  await expectNothingLost(system);
});

it("asks the declared model meanwhile, and judges the trial by the agent's own model alone", async () => {
  const Answer = contract("circuit.answer@1", z.object({ holes: z.number() }));
  const asker = agent("asker@1", {
    accepts: Order,
    answers: [Answer],
    tier: "worker",
    promptVersion: "7",
    handle: async (input, ctx) =>
      ctx.complete(await ctx.model("count", { instructions: "Count.", input, answers: Answer })),
  });
  const asking = team("asking", [asker], {
    circuits: {
      asker: {
        threshold: 0.9,
        outputsMin: 3,
        trialOutputs: 4,
        trialShare: 0.5,
        cooldownMs: LONG_MS,
        reaction: { kind: "fall_back", tier: "router" },
      },
    },
  });
  const { endpoint, model } = await openModel(asking, { models: PRICED });
  let isBad = true;
  endpoint.behave = ({ body }) =>
    body.model === "gpt-5-mini" && isBad ? "I would rather not." : '{"holes": 3}';
  const system = createTestSystem(asking);
  await start(system, { model });
  await spoil(system, 4);
  await untilState(system, "open", "asker");
  await untilTrue(async () => {
    const [probe = ""] = await order(system, 1);
    return (await system.until(probe, ["completed", "in_ward"])).status === "completed";
  });
  expect(endpoint.seen.at(-1)?.body.model).toBe("gpt-5-nano");
  // On trial while still bad: the stand-in's good answers must not make it pass.
  await untilCounted(system);
  await system.store.redis.hset(system.store.keys.feedback("circuit:asker"), "until_ms", 1);
  await untilState(system, "half_open", "asker");
  await untilTrue(async () => {
    const runs = await order(system, 2);
    await Promise.all(runs.map((runId) => system.until(runId, ["completed", "in_ward"])));
    return (await system.store.circuits.find("asker"))?.state === "open";
  });
  const moved = (await system.store.cases.audit(null, 100)).map(({ action }) => action);
  expect(moved.filter((action) => action.startsWith("circuit.")).toReversed()).toEqual([
    "circuit.open",
    "circuit.half_open",
    "circuit.open",
  ]);
  isBad = false;
  await untilCounted(system);
  await system.store.redis.hset(system.store.keys.feedback("circuit:asker"), "until_ms", 1);
  await untilTrue(async () => {
    const runs = await order(system, 2);
    await Promise.all(runs.map((runId) => system.until(runId, ["completed"])));
    return (await system.store.circuits.find("asker"))?.state === "closed";
  });
  await untilTrue(async () =>
    (await system.store.rates.read("hour")).some(
      (rate) =>
        rate.model === "gpt-5-mini" && rate.prompt_version === "7" && rate.malformed > 0 && rate.rate < 1,
    ),
  );
  expect(await system.store.rates.read("hour")).toContainEqual(
    expect.objectContaining({ agent: "asker@1", model: "gpt-5-nano", malformed: 0, rate: 0 }),
  );
});

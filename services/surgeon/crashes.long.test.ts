import { describe, expect, it } from "vitest";
import { messageIn, openSurgeonTestSystem, repairWith } from "./testing/surgeon-test-system.ts";
import type { SurgeonTestSystem } from "./testing/surgeon-test-system.ts";
import { Upkeep } from "./upkeep/upkeep.ts";

const QUERY = { user: { original_query: "Please refund order A-1234 for 3 seats." } };
const WHOLE = { order_id: "A-1234", seats: 3 };

/** Every call of an operation to the store: the claim and the verdict are the two writes. */
const ANYWHERE = [
  { point: "cases.readForSurgery", call: 1 },
  { point: "cases.write", call: 1 },
  { point: "cases.write", call: 2 },
  { point: "cases.modelSlots.take", call: 1 },
  { point: "cases.modelSlots.end", call: 1 },
  { point: "cases.modelSlots.call", call: 1 },
  { point: "cases.costs.reserve", call: 1 },
  { point: "cases.costs.settle", call: 1 },
] as const;

/** Where the message leaves by the outbox. */
const BY_OUTBOX = [
  { point: "outbox.deliver", call: 1 },
  { point: "outbox.acknowledge", call: 1 },
  { point: "journal.apply", call: 1 },
  { point: "queues.add", call: 1 },
] as const;

/** Where a recipe is learned as well: it is written down, goes on trial, is tried on what lies there, is trusted. */
const LEARNING = [
  { point: "recipes.add", call: 1 },
  { point: "recipes.change", call: 1 },
  { point: "recipes.change", call: 2 },
  { point: "recipes.change", call: 3 },
  { point: "recipes.change", call: 5 },
  { point: "recipes.of", call: 1 },
  { point: "recipes.version", call: 1 },
  { point: "cases.idsOf", call: 1 },
  { point: "cases.find", call: 1 },
  { point: "cases.find", call: 3 },
  { point: "cases.modelSlots.park", call: 1 },
  { point: "cases.examples.of", call: 1 },
  { point: "cases.examples.keep", call: 1 },
  ...ANYWHERE,
] as const;

/** What upkeep asks and does beside operations, round after round: each dies here as well. */
const UPKEEP = [
  "cases.modelSlots.waiting",
  "cases.forgetClosed",
  "cases.findHead",
  "cases.batches.lead",
  "cases.batches.ids",
  "cases.isRunCancelled",
  "outbox.relay",
  "ledger.remember",
] as const;

type Call = (...args: unknown[]) => Promise<unknown>;

/** Makes one call of a method fail, before it did its work or after: what a process that dies there leaves behind. */
function breakOnce(
  system: SurgeonTestSystem,
  fault: { point: string; call: number; when: "before" | "after" },
): () => boolean {
  const path = fault.point.split(".");
  const method = path.pop() ?? "";
  let owner: unknown = path[0] === "recipes" ? system : system.store;
  for (const step of path) owner = Reflect.get(Object(owner), step);
  const target = Object(owner);
  // Every point above is an async method.
  const original = Reflect.get(target, method) as Call;
  let calls = 0;
  Reflect.set(target, method, async (...args: unknown[]) => {
    calls += 1;
    if (calls !== fault.call) return original.apply(target, args);
    if (fault.when === "after") await original.apply(target, args);
    throw new Error("the process dies here");
  });
  return () => calls >= fault.call;
}

const FAULTS = [...ANYWHERE, ...BY_OUTBOX].flatMap((one) =>
  (["before", "after"] as const).map((when) => ({ ...one, when })),
);

describe("a surgeon that dies", () => {
  it.each(FAULTS)("$when call $call of $point heals the message once, and loses nothing", async (fault) => {
    const system = await openSurgeonTestSystem({
      handover: "outbox",
      limits: { recipeProducers: 1 },
    });
    system.endpoint.answer = () => repairWith(WHOLE);

    await system.start();
    const { runId } = await system.submit({ order_id: "A-1234" }, QUERY);
    await system.untilCase(runId, (one) => one.status === "admitted");
    const wasReached = breakOnce(system, fault);
    system.startSurgeon();
    expect(await system.until(runId)).toMatchObject({
      status: "completed",
      messages: { open: 0, in_ward: 0, quarantined: 0 },
    });
    expect(system.handled).toEqual([WHOLE]);
    expect((await system.store.runs.messages(runId)).length).toBe(2);
    // Only a call in flight when the process died may be repeated.
    const isInFlight = fault.point === "cases.costs.settle" && fault.when === "before";
    expect(system.endpoint.questions.length).toBe(isInFlight ? 2 : 1);
    await expect.poll(wasReached).toBe(true);
  });
});

const LEARNING_POINTS = [...LEARNING, ...UPKEEP.map((point) => ({ point, call: 1 }))];

/** Records the names of the store's methods that a surgeon calls from now on. */
function recordCalls(system: SurgeonTestSystem): ReadonlySet<string> {
  const { store } = system;
  const called = new Set<string>();
  const { cases } = store;
  const owners: readonly (readonly [string, object])[] = [
    ["cases", cases],
    ["recipes", system.recipes],
    ["cases.costs", cases.costs],
    ["cases.batches", cases.batches],
    ["cases.modelSlots", cases.modelSlots],
    ["cases.examples", cases.examples],
    ["outbox", store.outbox],
    ["ledger", store.ledger],
  ];
  for (const [name, owner] of owners) {
    for (const method of Object.getOwnPropertyNames(Object.getPrototypeOf(owner))) {
      const descriptor = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(owner), method);
      const original: unknown = descriptor?.value;
      if (method === "constructor" || typeof original !== "function") continue;
      Reflect.set(owner, method, (...args: unknown[]): unknown => {
        // Only who calls from outside a store's own room takes a step; the room's inner calls are part of one.
        const caller = new Error("step").stack?.split("\n")[2] ?? "";
        if (!caller.includes("/shared/store/")) called.add(`${name}.${method}`);
        return Reflect.apply(original, owner, args);
      });
    }
  }
  return called;
}

describe("the steps of a surgeon", () => {
  it("are all named here, so that none is added without being died at", async () => {
    const system = await openSurgeonTestSystem();

    system.endpoint.answer = (input) => {
      const { bestellung, ...rest } = messageIn(input);
      return repairWith({ order_id: bestellung, ...rest });
    };
    await system.start();
    const runs: string[] = [];
    for (let n = 0; n < 6; n += 1)
      runs.push((await system.submit({ bestellung: `A-${1000 + n}`, seats: 3 })).runId);
    await expect.poll(async () => (await system.store.cases.counts()).admitted, { timeout: 60_000 }).toBe(6);
    const called = recordCalls(system);
    const surgeon = system.startSurgeon();
    for (const runId of runs) expect((await system.until(runId)).status).toBe("completed");
    await surgeon.stop(1000);
    const named = new Set<string>([...[...LEARNING, ...BY_OUTBOX].map(({ point }) => point), ...UPKEEP]);
    // What the test itself and the agents beside it ask; and of a job that is missing, `trouble.test.ts` tells.
    const others = ["cases.counts", "cases.get", "cases.hasLiveJob"];
    const own = [...called].filter((name) => !others.includes(name) && !name.startsWith("ledger."));
    expect(own.filter((name) => !named.has(name))).toEqual([]);
    expect(own.length).toBeGreaterThan(15);
  });
});

/** Before a write nothing of it is there, after it all: where only the latter tells more, that alone is tried. */
const LEARNING_FAULTS = LEARNING_POINTS.map((one) => ({ ...one, when: "after" as const }));

describe("a surgeon that dies while it learns", () => {
  it.each(LEARNING_FAULTS)(
    "$when call $call of $point heals all messages once, with one recipe and one question",
    async (fault) => {
      const system = await openSurgeonTestSystem({ limits: { recipeProducers: 1 } });
      system.endpoint.answer = (input) => {
        const { bestellung, ...rest } = messageIn(input);
        return repairWith({ order_id: bestellung, ...rest });
      };

      await system.start();
      const ids = Array.from({ length: 6 }, (_, n) => `A-${1000 + n}`);
      const runs: string[] = [];
      /** The signed admissions as they came, by case. */
      const originals = new Map<string, string | undefined>();
      for (const bestellung of ids) {
        const { runId } = await system.submit({ bestellung, seats: 3 });
        const one = await system.untilCase(runId, (found) => found.status === "admitted");
        runs.push(runId);
        originals.set(one.case_id, (await system.stored(one.case_id)).fields["message:1"]);
      }
      const wasReached = breakOnce(system, fault);
      // A round over cases that lie here, before any is healed: it asks all that upkeep ever asks of them.
      await new Upkeep(system.surgery()).round().catch(() => undefined);
      system.startSurgeon();
      for (const runId of runs) expect((await system.until(runId)).status).toBe("completed");
      const orders = system.handled.map((one) => (one as { order_id: string }).order_id);
      // A busy machine may have the receiver work twice on a message; there is one for each message.
      expect([...new Set(orders)].toSorted()).toEqual(ids);
      for (const runId of runs) expect(await system.store.runs.messages(runId)).toHaveLength(2);
      expect(system.endpoint.questions.length).toBe(1);
      await expect.poll(wasReached, { timeout: 60_000 }).toBe(true);
      const recipes = await system.recipes.list();
      expect(recipes.map(({ recipe }) => recipe)).toEqual([
        { version: 1, operations: [{ op: "rename", path: "/bestellung", to: "order_id" }] },
      ]);
      expect(recipes[0]?.failures).toBe(0);
      for (const [caseId, message] of originals)
        expect((await system.stored(caseId)).fields["message:1"]).toBe(message);
    },
  );
});

import { describe, expect, it } from "vitest";
import { openTheatre, repairWith } from "./testing/theatre.ts";
import type { Theatre } from "./testing/theatre.ts";

const QUERY = { user: { original_query: "Please refund order A-1234 for 3 seats." } };
const WHOLE = { order_id: "A-1234", seats: 3 };

/** Every call by which a surgery touches the world: the claim and the verdict are the two writes. */
const POINTS = [
  { point: "cases.write", call: 1 },
  { point: "cases.write", call: 2 },
  { point: "cases.costs.reserve", call: 1 },
  { point: "cases.costs.settle", call: 1 },
  { point: "outbox.deliver", call: 1 },
  { point: "outbox.acknowledge", call: 1 },
  { point: "journal.apply", call: 1 },
  { point: "queues.add", call: 1 },
] as const;

type Call = (...args: unknown[]) => Promise<unknown>;

/** Makes one call of a method fail, before it did its work or after: what a process that dies there leaves behind. */
function breakOnce(
  theatre: Theatre,
  fault: { point: string; call: number; when: "before" | "after" },
): () => boolean {
  const path = fault.point.split(".");
  const method = path.pop() ?? "";
  let owner: unknown = theatre.world.store;
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

const FAULTS = POINTS.flatMap((one) => (["before", "after"] as const).map((when) => ({ ...one, when })));

describe("a surgeon that dies", () => {
  it.each(FAULTS)("$when call $call of $point heals the letter once, and loses nothing", async (fault) => {
    const theatre = await openTheatre();
    theatre.endpoint.answer = () => repairWith(WHOLE);
    const { world } = theatre;
    await world.start();
    const { runId } = await world.submit({ order_id: "A-1234" }, QUERY);
    await theatre.untilCase(runId, (one) => one.status === "admitted");
    const hasStruck = breakOnce(theatre, fault);
    theatre.startSurgeon();
    expect(await world.until(runId)).toMatchObject({
      status: "completed",
      messages: { open: 0, in_ward: 0, quarantined: 0 },
    });
    expect(theatre.handled).toEqual([WHOLE]);
    expect((await world.store.runs.messages(runId)).length).toBe(2);
    // Only a call in flight when the process died may be repeated.
    const isInFlight = fault.point === "cases.costs.settle" && fault.when === "before";
    expect(theatre.endpoint.questions.length).toBe(isInFlight ? 2 : 1);
    expect(hasStruck()).toBe(true);
  });
});

import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { SutureError } from "#shared/errors";
import { agent, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";

/** Only a death in a handling that had the process to itself may quarantine a message. */

const Note = contract("note@1", z.object({ n: z.number() }));
/**
 * The engine renews a lock at half its life: far away, so that only this file takes locks from their workers. There is
 * room for as many copies of a message that is put back as one test makes.
 */
const START = { lockMs: 600_000, stalledIntervalMs: 200, concurrency: 40 };

class Away extends SutureError {
  constructor() {
    super({ code: "AWAY", failureClass: "transient", message: "not now", remedy: "wait" });
  }
}

/** @param heldMax - That many handlings wait until the test ends them; the next completes its message. */
function openBench(heldMax: number) {
  /** Ends a handling, by its number. */
  const ends: ((error?: Error) => void)[] = [];
  const solo = agent("solo@1", {
    accepts: Note,
    handle: async (_, ctx) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const count = ends.push((error) => (error === undefined ? resolve() : reject(error)));
      if (count <= heldMax) await promise;
      return ctx.complete("survived");
    },
  });
  onTestFinished(() => {
    for (const end of ends) end();
  });
  const system = createTestSystem(team("one", [solo]));
  const { redis, keys } = system.store;
  return {
    system,
    ends,
    hasBegun: (count: number) => expect.poll(() => ends.length, { timeout: 60_000 }).toBe(count),
    /** Takes the job from its worker, as when that dies; another has taken it afterwards. */
    stall: async (queue: string, jobId: string): Promise<void> => {
      const lock = keys.lock(queue, jobId);
      await expect.poll(() => redis.exists(lock)).toBe(1);
      const stalls = Number(await redis.hget(keys.job(queue, jobId), "stc"));
      await redis.del(lock);
      await expect
        .poll(() => redis.hget(keys.job(queue, jobId), "stc"), { timeout: 60_000 })
        .toBe(String(stalls + 1));
      await expect.poll(() => redis.exists(lock), { timeout: 60_000 }).toBe(1);
    },
  };
}

it("does not quarantine a message for deaths before it was put back and for those that it met waiting", async () => {
  const { system, ends, hasBegun, stall } = openBench(4);
  await system.start(START);
  const { runId, envelope } = await system.submit({ n: 1 });
  const id = envelope.meta.message_id;
  await hasBegun(1);
  await stall("solo", id);
  await hasBegun(2);
  ends[0]?.();
  ends[1]?.(new Away());
  await hasBegun(3);
  await stall("solo.retry", `${id}.1`);
  await hasBegun(4);
  // From here on it has its last chance: it waits until the two handlings before it are over, and dies waiting.
  await stall("solo.retry", `${id}.1`);
  await stall("solo.retry", `${id}.1`);
  expect(ends).toHaveLength(4);
  ends[2]?.();
  ends[3]?.();
  expect(await system.until(runId, ["completed", "quarantined"])).toMatchObject({ status: "completed" });
}, 120_000);

it("does not count a handling that was given back as a death", async () => {
  const { system, ends, hasBegun, stall } = openBench(3);
  const first = await system.start(START);
  const { runId, envelope } = await system.submit({ n: 1 });
  const id = envelope.meta.message_id;
  await hasBegun(1);
  await stall("solo", id);
  await hasBegun(2);
  ends[0]?.();
  await first.stop(0);
  await system.start(START);
  await hasBegun(3);
  await stall("solo", id);
  await stall("solo", id);
  expect(ends).toHaveLength(3);
  ends[2]?.();
  expect(await system.until(runId, ["completed", "quarantined"])).toMatchObject({ status: "completed" });
}, 120_000);

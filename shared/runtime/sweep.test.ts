import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import type { Admission } from "#shared/store";
import { createWorld } from "#shared/testing";

const Note = contract("note@1", z.object({ n: z.number() }));
const JobDataSchema = z.record(z.string(), z.unknown());

it("makes a case of a job whose stored form is broken, and lets the others go on", async () => {
  const admissions: Admission[] = [];
  const handled: number[] = [];
  const solo = agent("solo@1", {
    accepts: Note,
    concurrency: 1,
    handle: (input, ctx) => {
      handled.push(input.n);
      return ctx.complete(input.n);
    },
  });
  const world = createWorld(team("one", [solo]), {
    admit: async (_store, admission) => void admissions.push(admission),
  });
  const { store } = world;
  const broken = await world.submit({ n: 1 });
  const healthy = await world.submit({ n: 2 });
  const whole: unknown = (await store.queues.of("solo", "fresh").getJob(broken.envelope.meta.message_id))
    ?.data;
  const key = store.keys.job("solo", "solo", broken.envelope.meta.message_id);
  // What a torn write or a foreign hand leaves: the engine can neither parse it nor fail it.
  await store.redis.hset(key, "data", '{"sealed": "cut off');
  await store.redis.hset(key, "ats", "50");
  await world.start();
  expect((await world.until(healthy.runId)).status).toBe("completed");
  await expect.poll(() => admissions.length, { timeout: 12_000 }).toBe(1);
  const record = JSON.parse(String(admissions[0]?.["sealed"]));
  expect(record).toMatchObject({
    disposition: "quarantine",
    bytes: null,
    failures: [{ failure_class: "crash_loop", code: "MESSAGE_STRANDED" }],
  });
  await expect.poll(() => store.redis.exists(key), { timeout: 8000 }).toBe(0);
  expect(handled).toEqual([2]);
  // A relay that slept delivers the message once more: by now it waits for a person, and for nobody else.
  await store.queues.add({
    lane: "fresh",
    agent: "solo",
    jobId: broken.envelope.meta.message_id,
    data: JobDataSchema.parse(whole),
    delayMs: 0,
    priority: "normal",
  });
  const after = await world.submit({ n: 3 });
  expect((await world.until(after.runId)).status).toBe("completed");
  expect(handled).toEqual([2, 3]);
}, 30_000);

import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import type { Admission } from "#shared/store/settlement";
import { createTestSystem } from "#shared/testing";
import { findCases } from "#shared/ward";

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
  const system = createTestSystem(team("one", [solo]), {
    admissions,
  });
  const { store } = system;
  const broken = await system.submit({ n: 1 });
  const healthy = await system.submit({ n: 2 });
  const whole: unknown = (await store.queues.of("solo", "fresh").getJob(broken.envelope.meta.message_id))
    ?.data;
  const key = store.keys.job("solo", broken.envelope.meta.message_id);
  // As a torn write or a foreign hand leaves it: the engine can neither parse it nor fail it.
  await store.redis.hset(key, "data", '{"sealed": "cut off');
  await system.start();
  expect((await system.until(healthy.runId)).status).toBe("completed");
  await expect.poll(() => admissions.length).toBe(1);
  const record = JSON.parse(String(admissions[0]?.["sealed"]));
  expect(record).toMatchObject({
    disposition: "quarantine",
    bytes: null,
    failures: [{ failure_class: "crash_loop", code: "MESSAGE_STRANDED" }],
  });
  await expect.poll(() => store.redis.exists(key)).toBe(0);
  expect(handled).toEqual([2]);
  // A sender that slept delivers the message once more: by now it waits for a person, and for nobody else.
  await store.queues.add({
    lane: "fresh",
    agent: "solo",
    jobId: broken.envelope.meta.message_id,
    data: JobDataSchema.parse(whole),
    delayMs: 0,
    priority: "normal",
  });
  expect((await system.run({ n: 3 })).status).toBe("completed");
  expect(handled).toEqual([2, 3]);
});

it.each(["null", "[]", "{}", "", "7", '"a text"', '{"sealed":"cut'])(
  "lets the run wait for a person when what is stored of its message is %j",
  async (stored) => {
    const solo = agent("solo@1", { accepts: Note, handle: (input, ctx) => ctx.complete(input.n) });
    const system = createTestSystem(team("one", [solo]));
    const { store } = system;
    const { runId, envelope } = await system.submit({ n: 1 });
    const other = await system.submit({ n: 2 });
    await store.redis.hset(store.keys.job("solo", envelope.meta.message_id), "data", stored);
    await system.start({ lockMs: 1000, stalledIntervalMs: 200 });
    expect((await system.until(runId, ["quarantined"])).status).toBe("quarantined");
    expect((await system.until(other.runId)).status).toBe("completed");
    // The run is told first, the ward a moment later.
    await expect
      .poll(async () => (await findCases(store, { filter: { run_id: runId }, limit: 10 })).cases)
      .toMatchObject([{ message_id: envelope.meta.message_id, status: "quarantined" }]);
    expect(await store.runs.counts()).toMatchObject({ submitted: 2, completed: 1, quarantined: 1 });
  },
);

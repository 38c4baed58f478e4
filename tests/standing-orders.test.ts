import { expect, test } from "vitest";
import { sleep } from "#shared/clock";
import { startTestConsole, waitFor } from "../services/console/testing/start-test-console.ts";
import type { TestConsole } from "../services/console/testing/start-test-console.ts";

const GOOD = { order_id: "A-1", amount: 12.5, note: "a lamp" };

/** Interval at which agents read orders, a second, and a little. */
const LOOKED_MS = 2500;

async function openAtWork(): Promise<TestConsole> {
  const console = await startTestConsole();
  await console.system.start();
  return console;
}

/** The agent's queues, as whoever may write its keys reaches them. */
const queuesOf = ({ store }: TestConsole) => [
  store.queues.of("con-book", "fresh"),
  store.queues.of("con-book", "retry"),
];

const untilPaused = (console: TestConsole): Promise<boolean> =>
  waitFor(async () => {
    const paused = await Promise.all(queuesOf(console).map((queue) => queue.isPaused()));
    return paused.every(Boolean);
  });

async function expectPausedAgain(console: TestConsole): Promise<void> {
  await untilPaused(console);
  const { runId } = await console.system.submit(GOOD);
  await sleep(LOOKED_MS);
  expect((await console.store.runs.get(runId)).status).toBe("queued");
}

test("pauses again what a person paused and somebody else resumed", async () => {
  const console = await openAtWork();
  expect((await console.post("/v1/queues/con-book/pause", { why: "a bad day" })).status).toBe(200);
  for (const queue of queuesOf(console)) await queue.resume();
  await expectPausedAgain(console);
  expect((await console.post("/v1/queues/con-book/resume", {})).status).toBe(200);
  expect((await console.system.run(GOOD)).status).toBe("completed");
});

test("resumes what was paused by nobody", async () => {
  const console = await openAtWork();
  for (const queue of queuesOf(console)) await queue.pause();
  expect((await console.system.run(GOOD)).status).toBe("completed");
});

import { expect, test } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import { startTestConsole, waitFor } from "../services/console/testing/start-test-console.ts";
import type { TestConsole } from "../services/console/testing/start-test-console.ts";

const EVERY_MS = 30;

const Task = contract("forged-circuit.task@1", z.object({ id: z.string() }));

const maker = agent("fc-maker@1", { accepts: Task, handle: (task, ctx) => ctx.complete(task) });
const circuits = { "fc-maker": { reaction: { kind: "pause" } } } as const;

/** An agent that rests while its circuit is open, and a console. */
async function openWorks(): Promise<TestConsole> {
  const system = createTestSystem(team("fc-works", [maker], { circuits }));
  const console = await startTestConsole({}, [], system);
  await system.start({ circuitsEveryMs: EVERY_MS });
  await waitFor(() => console.store.circuits.find("fc-maker"));
  return console;
}

async function write({ store }: TestConsole, fields: Readonly<Record<string, string>>): Promise<void> {
  await store.redis.hset(store.keys.feedback("circuit:fc-maker"), fields);
}

/** Until the agent takes nothing any more: a fetch that was under way still brings one message. */
async function expectHeld(console: TestConsole): Promise<void> {
  await waitFor(async () => {
    const { runId } = await console.system.submit({ id: "probe" });
    // Told often enough meanwhile to have heard of whatever was written.
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    return (await console.store.runs.get(runId)).status === "queued";
  });
}

async function expectAtWork(console: TestConsole): Promise<void> {
  const { runId } = await console.system.submit({ id: "work" });
  expect((await console.system.until(runId)).status).toBe("completed");
}

test("holds no agent whose circuit is said to be opened by a person who did not", async () => {
  const console = await openWorks();
  await write(console, { state: "open", held_by: "ada", until_ms: "0" });
  await waitFor(async () => {
    const { runId } = await console.system.submit({ id: "work" });
    await new Promise((resolve) => setTimeout(resolve, 300));
    return (await console.store.runs.get(runId)).status === "completed";
  });
  const found = await waitFor(async () => {
    const circuit = await console.store.circuits.find("fc-maker");
    return circuit?.state === "closed" && circuit;
  });
  expect(found.held_by).toBeNull();
});

test("keeps a circuit open that a person opened, whatever its record becomes", async () => {
  const console = await openWorks();
  expect((await console.post("/v1/circuits/fc-maker/open", { why: "a bad day" })).status).toBe(200);
  await expectHeld(console);
  await write(console, { state: "closed", held_by: "" });
  await expectHeld(console);
  // Once it is closed by a person the agent works through what waited.
  expect((await console.post("/v1/circuits/fc-maker/close", { why: "mended" })).status).toBe(200);
  await expectAtWork(console);
}, 120_000);

test("still opens and closes by what is counted", async () => {
  const console = await openWorks();
  await write(console, { state: "open", held_by: "", until_ms: String(Date.now() + 600_000) });
  await expectHeld(console);
  expect((await console.post("/v1/circuits/fc-maker/close", {})).status).toBe(200);
  await expectAtWork(console);
});

const GOOD = { order_id: "A-1", amount: 12.5, note: "a lamp" };

/** What the agents look at once a second, and a little. */
const LOOKED_MS = 2500;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

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
  const { runId } = await console.system.submit(GOOD);
  expect((await console.system.until(runId)).status).toBe("completed");
});

test("resumes what was paused by nobody", async () => {
  const console = await openAtWork();
  for (const queue of queuesOf(console)) await queue.pause();
  const { runId } = await console.system.submit(GOOD);
  expect((await console.system.until(runId)).status).toBe("completed");
});

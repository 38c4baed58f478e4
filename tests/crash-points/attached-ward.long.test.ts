import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { BullmqWard } from "#shared/bullmq-ward";
import type { CrashPointName } from "#shared/crash-points";
import { ENGINES } from "#shared/bullmq-ward/testing";
import type { Engine } from "#shared/bullmq-ward/testing";
import { startOwnRedis, untilTrue } from "../support/redis-servers.ts";
import { StruckProcess } from "./struck-process.ts";
import type { Strike } from "./struck-process.ts";
import { temporaryFolder } from "#shared/testing";

const Order = z.strictObject({ order: z.string(), amount: z.int() });
const JOBS = 30;

type Role = "worker" | "ward";

async function openScene(engineName: string, engine: Engine) {
  const server = await startOwnRedis(["--appendonly", "yes", "--appendfsync", "everysec"]);
  const dir = temporaryFolder();
  const log = join(dir, "succeeded");
  writeFileSync(log, "");
  const connection = { url: server.url, maxRetriesPerRequest: null, retryStrategy: () => 50 };
  const queue = new engine.Queue("orders", { connection });
  queue.on("error", () => undefined);
  const processes: StruckProcess[] = [];
  onTestFinished(async () => {
    for (const one of processes) await one.end();
    await queue.close();
  });
  const start = (role: Role, strike: Strike | null = null): StruckProcess => {
    const script = join(import.meta.dirname, "attached-ward-process.ts");
    const command = [script, role, server.url, "bull", engineName, log];
    const started = new StruckProcess({ command, env: { PATH: process.env["PATH"] ?? "" }, strike });
    processes.push(started);
    return started;
  };
  const ward = new BullmqWard(queue, {
    redis: server.redis,
    contract: { schema: Order },
    mode: "redrive",
    mayRepeatEffects: true,
  });
  const failAll = async (): Promise<void> => {
    const bad = Array.from({ length: JOBS }, (_, n) => ({ order: `o${n}`, amount: String(n) }));
    await queue.addBulk(bad.map((data) => ({ name: "order", data, opts: { jobId: data.order } })));
    const failing = new engine.Worker("orders", () => Promise.reject(new Error("amount is a text")), {
      connection,
      concurrency: 20,
    });
    await untilTrue(async () => (await queue.getFailedCount()) === JOBS);
    await failing.close();
  };
  const succeeded = (): readonly string[] => readFileSync(log, "utf8").split("\n").filter(Boolean).toSorted();
  const allOnce = Array.from({ length: JOBS }, (_, n) => `o${n} {"order":"o${n}","amount":${n}}`).toSorted();
  return { server, queue, ward, start, failAll, succeeded, allOnce };
}

const POINTS: readonly CrashPointName[] = [
  "W31:before_mark",
  "W31:after_mark_before_retry",
  "W31:after_retry_before_finish",
];

describe.each(ENGINES)("beside a worker of %s", (engineName, engine) => {
  it("completes each job once: wards killed at every step, two of them, an operator, Redis away", async () => {
    const { server, queue, ward, start, failAll, succeeded, allOnce } = await openScene(engineName, engine);
    await failAll();
    const struck = POINTS.map((point) => start("ward", { point, action: "kill", nth: 3 }));
    for (const one of struck) await one.untilStruck();
    const left = await queue.getFailed();
    expect(left.length).toBeGreaterThan(0);
    start("worker");
    start("ward");
    // The operator's retry wins or loses against the ward's; either way it is one.
    for (const job of left.slice(0, 10)) await job.retry("failed").catch(() => undefined);
    await server.kill();
    await server.revive();
    await untilTrue(async () => {
      // Another instance, after the time that a dead one is given.
      await ward.recover(0);
      return (await queue.getCompletedCount()) === JOBS;
    });
    expect(succeeded()).toEqual(allOnce);
    expect(await queue.getFailedCount()).toBe(0);
    const deeds: string[] = [];
    for await (const { job = "" } of ward.audit()) deeds.push(job);
    expect(new Set(deeds).size).toBe(JOBS);
  });
});

const [[engineName, engine] = []] = ENGINES;
if (engineName === undefined || engine === undefined) throw new Error("There is no BullMQ to test with.");

it("does nothing more about a job that another instance has sent while its process stood still", async () => {
  const { queue, ward, start, failAll, succeeded, allOnce } = await openScene(engineName, engine);
  await failAll();
  const paused = start("ward", { point: "W31:after_mark_before_retry", action: "pause", nth: 2 });
  await paused.untilStruck();
  start("worker");
  expect(await ward.recover(0)).toBe(1);
  expect((await ward.sweep()).redriven).toBe(JOBS - 2);
  await untilTrue(async () => (await queue.getCompletedCount()) === JOBS);
  paused.wake();
  // Its sweep goes on, finds nothing to do, and takes what fails later as always.
  await queue.add("order", { order: "late", amount: "1" });
  await untilTrue(async () => (await queue.getCompletedCount()) === JOBS + 1);
  expect(succeeded().filter((line) => !line.includes("late"))).toEqual(allOnce);
});

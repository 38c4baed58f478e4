import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { sleep } from "#shared/clock";
import { createTestSystem, temporaryFolder } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { chooseFreePort } from "../infra/redis/redis-process.ts";
import { cuttableRedis } from "../services/gateway/testing/cuttable-redis.ts";
import { rehearseSupport } from "./support/rehearsal-model.ts";
import { spawnLauncher } from "./support/run-cli.ts";
import { spawnService } from "./support/service-process.ts";
import type { ServiceProcess } from "./support/service-process.ts";

/** Agents, surgeon and console as real processes tell probes, Prometheus and readers of logs how they are. */

const START_MS = 60_000;

interface Watched extends ServiceProcess {
  readonly get: (path: string) => Promise<{ readonly status: number; readonly text: string }>;
}

async function startWatched(
  system: TestSystem,
  name: string,
  options: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Watched> {
  const port = await chooseFreePort(null);
  const env = { SUTURE_HEALTH_PORT: String(port), ...options.env };
  const service = spawnService(system, { name, args: options.args ?? [], env });
  const get: Watched["get"] = async (path) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
    return reply === null ? { status: 0, text: "" } : { status: reply.status, text: await reply.text() };
  };
  await expect.poll(() => get("/readyz"), { timeout: START_MS }).toEqual({ status: 200, text: READY });
  return { ...service, get };
}

const READY = '{"status":"ready"}';

async function openSupport() {
  const { support, env } = await rehearseSupport();
  return { system: createTestSystem(support), env };
}

const MAIL = {
  from: "Ada <ada@example.org>",
  subject: "Refund for order AB-10023",
  body: "The zebra-striped lamp arrived broken. I'd like my 42.50 EUR back please. Order number is AB-10023.",
};

it.each(["agents", "surgeon", "console"])(
  "%s says that it lives, and whether Redis lets it work",
  async (name) => {
    const { system, env } = await openSupport();
    const redis = await cuttableRedis();
    const service = await startWatched(system, name, {
      ...(name === "agents" ? { args: ["triage"] } : {}),
      env: { ...env, REDIS_URL: redis.url, SUTURE_CONSOLE_PORT: "0" },
    });
    redis.silence();
    const askedMs = performance.now();
    expect(await service.get("/readyz")).toEqual({ status: 503, text: '{"status":"store_unreachable"}' });
    expect(performance.now() - askedMs).toBeLessThan(3000);
    expect(await service.get("/healthz")).toEqual({ status: 200, text: '{"status":"ok"}' });
    redis.mend();
    await expect.poll(() => service.get("/readyz"), { timeout: START_MS }).toMatchObject({ status: 200 });
    service.child.kill("SIGTERM");
    await once(service.child, "exit");
    expect(service.child.exitCode).toBe(0);
  },
);

it("agents measure deliveries and model calls, and log each failed delivery without its payload", async () => {
  const { system, env } = await openSupport();
  const args = ["triage", "refunds", "reply"];
  const agents = await startWatched(system, "agents", { args, env });
  const { runId } = await system.submit(MAIL);
  expect(await system.until(runId)).toMatchObject({ status: "completed" });
  const bad = await system.submit({ from: "zebra-striped" });
  await system.until(bad.runId, ["in_ward"]);
  // The run is told a moment before the process has measured.
  const failures = 'suture_delivery_failures_total{agent="triage",class="validation_error"} 1\n';
  await expect.poll(async () => (await agents.get("/metrics")).text).toContain(failures);
  const { text } = await agents.get("/metrics");
  for (const line of [
    /^suture_delivery_seconds_count\{agent="triage",outcome="handed_off"\} 1$/m,
    /^suture_delivery_seconds_count\{agent="triage",outcome="failed"\} 1$/m,
    /^suture_wait_seconds_count\{agent="triage"\} [1-9]/m,
    /^suture_event_loop_delay_seconds\{quantile="0\.99"\} \d/m,
    /^suture_process_memory_bytes [1-9]/m,
    /^suture_model_call_seconds_count\{agent="triage",model="rehearsal-router",outcome="ok"\} [1-9]/m,
    /^suture_model_tokens_total\{agent="triage",model="rehearsal-router",type="input"\} [1-9]/m,
    /^suture_model_cost_usd_total\{agent="triage",model="rehearsal-router"\} [0-9]/m,
  ])
    expect(text).toMatch(line);
  // The log may arrive after the metrics. A busy machine also logs that routing took long.
  const warnings = () =>
    agents.log().filter(({ level, msg }) => level === "warn" && !String(msg).startsWith("routing took"));
  await expect.poll(warnings).toEqual([
    expect.objectContaining({
      msg: "a delivery failed",
      agent: "triage@1",
      run_id: bad.runId,
      message_id: bad.envelope.meta.message_id,
      attempt: 1,
      class: "validation_error",
      code: expect.any(String),
    }),
  ]);
  expect(agents.output() + text).not.toContain("zebra-striped");
});

const runFile = z.object({
  pid: z.int(),
  console_url: z.string(),
  children: z.array(z.object({ name: z.string(), pid: z.int() })),
});

/** Longest time until an inspector says that it listens, in ms. */
const OPENS_WITHIN_MS = 2000;

/** The signal with which every program of the same user would open Node's inspector, and read all that is in memory. */
test("SIGUSR1 opens an inspector in no process that npm start starts, and waived isolation is told", async () => {
  const folder = temporaryFolder();
  const env = { SUTURE_CODE_ISOLATION: "off" };
  const { child, output, ended } = spawnLauncher(["up", "--processes", "2"], folder, env);
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  const run = await vi.waitFor(
    () => runFile.parse(JSON.parse(readFileSync(join(folder, "run.json"), "utf8"))),
    { timeout: 90_000, interval: 200 },
  );
  const names = run.children.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["gateway", "surgeon", "agents-1", "agents-2", "rehearsal"]));
  const pids = [child.pid ?? 0, run.pid, ...run.children.map(({ pid }) => pid)];
  expect(new Set(pids).size).toBe(pids.length);
  for (const pid of pids) process.kill(pid, "SIGUSR1");
  await sleep(OPENS_WITHIN_MS);
  for (const pid of pids) expect(() => process.kill(pid, 0)).not.toThrow();
  const logs = readdirSync(join(folder, "logs")).map((name) =>
    readFileSync(join(folder, "logs", name), "utf8"),
  );
  expect(logs.length).toBeGreaterThanOrEqual(run.children.length);
  expect(output()).toMatch(/WARNING: SUTURE_CODE_ISOLATION=off/);
  expect(logs.filter((text) => text.includes("SUTURE_CODE_ISOLATION=off"))).toHaveLength(2);
  expect([output(), ...logs].filter((text) => text.includes("Debugger listening"))).toEqual([]);
});

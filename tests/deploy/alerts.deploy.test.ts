import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { sleep } from "#shared/clock";
import { loadTeams } from "#shared/runtime/process";
import { createTestSystem, temporaryFolder } from "#shared/testing";
import { run } from "../../infra/deploy/engine.ts";
import { chooseFreePort } from "../../infra/redis/redis-process.ts";
import { startOwnRedis } from "../support/redis-servers.ts";
import { openRehearsal } from "../support/rehearsal-model.ts";
import { spawnGateway, spawnService, whenGone } from "../support/service-process.ts";

/** The alerts in a real Prometheus that scrapes real services: each fires for its fault, none while all is well. */

const KEY = "ops-secret-0123456789abcdef";
const MAIL = {
  from: "ada@example.org",
  subject: "Refund for AB-10023",
  body: "The lamp is broken: AB-10023, 42.50 EUR.",
};
const PATIENCE = { timeout: 120_000, interval: 500 };
/** Alerts that a run of sound tasks lasts long enough to show. */
const WATCHED_MS = 20_000;

const alertsSchema = z.object({
  data: z.object({
    alerts: z.array(z.object({ state: z.string(), labels: z.looseObject({ alertname: z.string() }) })),
  }),
});

/** The rules as they are, with minutes and hours as seconds, so that a test can wait for them. */
function hurried(rules: string): string {
  return rules
    .replaceAll(/for: \S+/g, "for: 3s")
    .replaceAll(/\[\d+[mh]\]/g, "[10s]")
    .replaceAll(/> (?:900|4 \* 3600)/g, "> 4");
}

/** Starts a Prometheus with the hurried rules. @returns the names of the alerts that fire now. */
async function startPrometheus(targets: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  const port = await chooseFreePort(null);
  writeFileSync(join(folder, "rules.yml"), hurried(readFileSync("deploy/prometheus/rules.yml", "utf8")));
  const jobs = Object.entries(targets).map(([job_name, target]) => ({
    job_name,
    authorization: { credentials: KEY },
    static_configs: [{ targets: [target] }],
  }));
  const config = {
    global: { scrape_interval: "2s", scrape_timeout: "2s", evaluation_interval: "1s" },
    rule_files: ["rules.yml"],
    scrape_configs: jobs,
  };
  // JSON is YAML.
  writeFileSync(join(folder, "prometheus.yml"), JSON.stringify(config));
  const child = spawn(
    "prometheus",
    [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: "ignore" },
  );
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await whenGone(child);
  });
  const areUp = async (): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/targets`).catch(() => null);
    return (await answer?.text())?.match(/"health":"up"/g)?.length ?? 0;
  };
  await expect.poll(areUp, PATIENCE).toBe(jobs.length);
  return async (): Promise<string[]> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/alerts`).catch(() => null);
    if (answer === null) return ["Prometheus has not begun"];
    const { alerts } = alertsSchema.parse(await answer.json()).data;
    const firing = alerts.filter(({ state }) => state === "firing").map(({ labels }) => labels.alertname);
    return [...new Set(firing)].toSorted();
  };
}

test("each has a unit test of its own, which Prometheus' own tool runs", async () => {
  await run("promtool", ["test", "rules", "deploy/prometheus/rules.test.yml"]);
});

test("each fires for its fault, and none while all is well", { timeout: 900_000 }, async () => {
  const support = (await loadTeams("services/agents")).find(({ name }) => name === "support");
  if (support === undefined) throw new Error("there is no support team");
  const { url } = await openRehearsal(support);
  const own = await startOwnRedis(["--appendonly", "yes"]);
  const system = createTestSystem(support, { store: { url: own.url }, takesIn: false });
  const [ofAgents, ofSurgeon] = [await chooseFreePort(null), await chooseFreePort(null)];
  const env = {
    REDIS_URL: own.url,
    SUTURE_REHEARSAL_PORT: new URL(url).port,
    SUTURE_SANDBOX_URL: url,
    OPENAI_API_KEY: "",
    SUTURE_TEAMS: "services/agents",
  };
  const gateway = await spawnGateway(system, { ...env, SUTURE_API_KEYS: `ops:operator:${KEY}` });
  const startAgents = () =>
    spawnService(system, {
      name: "agents",
      args: [...support.agents.keys()],
      env: { ...env, SUTURE_HEALTH_PORT: String(ofAgents) },
    }).child;
  const startSurgeon = () =>
    spawnService(system, { name: "surgeon", env: { ...env, SUTURE_HEALTH_PORT: String(ofSurgeon) } }).child;
  const submit = (input: unknown) =>
    fetch(`${gateway.url}/v1/tasks`, {
      method: "POST",
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ team: "support", input }),
    });
  let agents = startAgents();
  let surgeon = startSurgeon();
  const firing = await startPrometheus({
    gateway: new URL(gateway.url).host,
    agents: `127.0.0.1:${ofAgents}`,
    surgeon: `127.0.0.1:${ofSurgeon}`,
  });
  const untilFires = (name: string) => expect.poll(firing, PATIENCE).toContain(name);
  // Three seconds in which a busy machine gives a process no time are no five minutes.
  const wronglyFiring = async () => (await firing()).filter((name) => name !== "SutureEventLoopBlocked");
  const untilCalm = () => expect.poll(wronglyFiring, PATIENCE).toEqual([]);

  expect((await submit(MAIL)).status).toBe(202);
  await untilCalm();
  const untilMs = performance.now() + WATCHED_MS;
  while (performance.now() < untilMs) {
    expect((await submit(MAIL)).status).toBe(202);
    await sleep(500);
    expect(await wronglyFiring()).toEqual([]);
  }

  // Nobody works for the agents.
  agents.kill("SIGKILL");
  await whenGone(agents);
  await submit(MAIL);
  await untilFires("SutureNoWorker");
  await untilFires("SutureQueueStands");
  agents = startAgents();
  await untilCalm();

  // The process stands still, again and again.
  const standStill = setInterval(() => {
    agents.kill("SIGSTOP");
    setTimeout(() => agents.kill("SIGCONT"), 800);
  }, 1200);
  onTestFinished(() => clearInterval(standStill));
  await untilFires("SutureEventLoopBlocked");
  clearInterval(standStill);
  await untilCalm();

  // Nobody takes dead messages in; then a person has to decide.
  surgeon.kill("SIGKILL");
  await whenGone(surgeon);
  const bad = setInterval(() => void system.submit({ from: "no mail" }), 1000);
  onTestFinished(() => clearInterval(bad));
  await untilFires("SutureNoSurgeon");
  await untilFires("SutureAgentFails");
  clearInterval(bad);
  surgeon = startSurgeon();
  await untilFires("SuturePersonNeeded");

  // Redis is full, and the gateway refuses what it cannot keep.
  const used = Number(/used_memory:(\d+)/.exec(await own.redis.info("memory"))?.[1]);
  await own.redis.config("SET", "maxmemory", String(Math.round(used / 0.9)));
  await untilFires("SutureRedisNearlyFull");
  const refused = setInterval(() => void submit(MAIL).catch(() => undefined), 300);
  onTestFinished(() => clearInterval(refused));
  await untilFires("SutureErrorBudgetBurns");
  clearInterval(refused);
  await own.redis.config("SET", "maxmemory", "0");
  await expect.poll(wronglyFiring, PATIENCE).toEqual(["SuturePersonNeeded"]);

  gateway.child.kill("SIGKILL");
  await untilFires("SutureGatewayAbsent");
  expect(surgeon.exitCode).toBe(null);
});

import { readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { uuidv7 } from "#shared/clock";
import { docker } from "../../infra/deploy/engine.ts";
import { containerOf, cutNetwork, inspect, pidOf, untilHealthy, volumeOf } from "../../infra/deploy/stack.ts";
import { answerOf, openClient } from "../../services/cli/http/call-api.ts";
import type { Api } from "../../services/cli/http/call-api.ts";
import { persist, persistently } from "../../services/cli/http/persist.ts";
import type { ModelEndpoint } from "../support/model-endpoint.ts";
import { readApis, startModel } from "./open-deployment.ts";

/** One of every kind of container. */
const KINDS = ["redis", "gateway", "surgeon", "console", "sandbox", "reader", "agent-refunds"] as const;
const TASKS = 6;
const CUT_MS = 5000;
const COMPLETED_WITHIN_MS = 120_000;
const STOP_MS_MAX = 8000;
/** Times after a start at which it is stopped, in ms. */
const EARLY_MS = [50, 200, 450];
const { signal } = new AbortController();

let model: ModelEndpoint;
let gateway: Api;
const figures: string[] = [];

beforeAll(async () => {
  gateway = readApis().gateway;
  model = await startModel();
});

afterAll(() => {
  writeSync(1, `${figures.join("\n")}\n`);
  model?.close();
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const catalogueSchema = z.record(
  z.string(),
  z.tuple([z.string(), z.number(), z.string(), z.string(), z.number()]),
);
const catalogue = catalogueSchema.parse(
  JSON.parse(readFileSync("services/rehearsal/sandbox/catalogue.json", "utf8")),
);
/** Orders whose price is paid back without a person, each once. */
const orders = Object.entries(catalogue).filter(
  ([, [, amount, currency, state, days]]) =>
    amount <= 200 && currency === "EUR" && state === "delivered" && days <= 30,
);

/** Hands in a refund of an order that had none, until it is accepted. Returns its run. */
async function handIn(): Promise<string> {
  const paid = journal().join("\n");
  let order = orders.pop();
  while (order !== undefined && paid.includes(`"${order[0]}"`)) order = orders.pop();
  if (order === undefined) throw new Error("The catalogue has no further order.");
  const [order_id, [customer_email, value]] = order;
  const headers = { "idempotency-key": uuidv7() };
  const data_payload = {
    order_id,
    amount: { value, currency: "EUR" },
    reason: "damaged",
    customer_email,
    language: "en",
    summary: "Asks for money back for a cracked lamp.",
    text: "The lamp is cracked. Please refund me.",
  };
  const body = { target_agent: "refunds", contract: "refunds.request@2", data_payload } as const;
  const send = () => answerOf(openClient(gateway).POST("/v1/handoffs", { headers, body, signal }));
  return (await persist(send, signal)).run_id;
}

async function untilCompleted(runId: string): Promise<void> {
  const params = { path: { run_id: runId } };
  const read = () => answerOf(openClient(gateway).GET("/v1/runs/{run_id}", { params, signal }));
  const untilMs = performance.now() + COMPLETED_WITHIN_MS;
  for (;;) {
    const { status } = await persistently(read, signal);
    if (status === "completed") return;
    if (performance.now() > untilMs) throw new Error(`The run ${runId} is ${status}.`);
    await pause(100);
  }
}

/** Lines of the journal of effects that the sandbox carried out. */
function journal(): string[] {
  return readFileSync(join(volumeOf("sandbox"), "sandbox.jsonl"), "utf8").split("\n");
}

const payments = (): number => journal().filter((line) => line.includes('"kind":"refund"')).length;

/** Has tasks under way while something happens: each that is accepted ends once. Returns the time to the last end. */
async function expectAllOnce(disturb: () => Promise<unknown>): Promise<number> {
  const before = payments();
  const first = await handIn();
  const startedMs = performance.now();
  const disturbed = disturb();
  const runs = await Promise.all(Array.from({ length: TASKS - 1 }, handIn));
  await disturbed;
  await Promise.all([first, ...runs].map(untilCompleted));
  const tookMs = performance.now() - startedMs;
  expect(payments() - before).toBe(TASKS);
  const { equation } = await persistently(
    () => answerOf(openClient(gateway).GET("/v1/stats", { signal })),
    signal,
  );
  expect(equation.lost).toBe(0);
  return tookMs;
}

describe("each accepted task ends once, and is paid once,", () => {
  it("while nothing happens", async () => {
    const tookMs = await expectAllOnce(() => Promise.resolve());
    figures.push(`undisturbed: ${TASKS} tasks in ${tookMs.toFixed(0)} ms`);
  });

  it.each(KINDS)("while %s is killed, which starts again by itself", async (service) => {
    const pid = await pidOf(service);
    const tookMs = await expectAllOnce(async () => process.kill(pid, "SIGKILL"));
    figures.push(`${service} killed: ${TASKS} tasks in ${tookMs.toFixed(0)} ms`);
    await untilHealthy([service]);
    expect(await pidOf(service)).not.toBe(pid);
  });

  it("while Redis is cut off from the network", async () => {
    const tookMs = await expectAllOnce(async () => {
      await cutNetwork("redis", true);
      await pause(CUT_MS);
      await cutNetwork("redis", false);
    });
    figures.push(`network cut for ${CUT_MS} ms: ${TASKS} tasks in ${tookMs.toFixed(0)} ms`);
    await untilHealthy(["redis"]);
  });
});

it.each(KINDS)("%s stops at once when it is told to during its start", async (service) => {
  for (const earlyMs of EARLY_MS) {
    await docker("restart", "--time", "30", containerOf(service));
    await pause(earlyMs);
    const startedMs = performance.now();
    await docker("stop", containerOf(service));
    expect(performance.now() - startedMs, `after ${earlyMs} ms`).toBeLessThan(STOP_MS_MAX);
    // 137 is the code of a process that had to be killed.
    expect((await inspect(service)).State.ExitCode, `after ${earlyMs} ms`).not.toBe(137);
  }
  await docker("start", containerOf(service));
  await untilHealthy([service]);
});

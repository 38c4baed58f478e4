import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { loadTeams } from "#shared/runtime";
import { createWorld, testRedisUrl } from "#shared/testing";
import type { World } from "#shared/testing";
import { spawnAgents } from "./support/agent-process.ts";
import { openRehearsal } from "./support/rehearsal-model.ts";
import { processEnv } from "./support/process-env.ts";

/** A run as whoever traces it sees it: real processes that tell a collector, from the HTTP request to the result. */

const KEY = "trace-secret-0123456789";
const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN_MS = 30_000;

const attribute = z.object({
  key: z.string(),
  value: z.looseObject({
    stringValue: z.string().optional(),
    intValue: z.union([z.number(), z.string()]).optional(),
    doubleValue: z.number().optional(),
    arrayValue: z
      .object({ values: z.array(z.looseObject({ stringValue: z.string().optional() })) })
      .optional(),
  }),
});
const batch = z.object({
  resourceSpans: z.array(
    z.looseObject({
      scopeSpans: z.array(
        z.looseObject({
          spans: z.array(
            z.looseObject({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              startTimeUnixNano: z.string(),
              endTimeUnixNano: z.string(),
              attributes: z.array(attribute),
              status: z.looseObject({ code: z.number().optional() }).optional(),
            }),
          ),
        }),
      ),
    }),
  ),
});

interface Span {
  readonly traceId: string;
  readonly id: string;
  readonly parent: string;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly isFailed: boolean;
  readonly about: Readonly<Record<string, unknown>>;
}

/** Spans that it was sent, of one trace. */
async function startCollector(): Promise<{ url: string; spans: Span[]; texts: string[] }> {
  const spans: Span[] = [];
  const texts: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const text = Buffer.concat(parts).toString();
      texts.push(text);
      spans.push(...readSpans(text));
      response.setHeader("content-type", "application/json").end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  // A server that listens on a port has an address of this form.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, texts };
}

function readSpans(text: string): Span[] {
  const all = batch.parse(JSON.parse(text)).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans);
  return all
    .flatMap(({ spans }) => spans)
    .map((span) => ({
      traceId: span.traceId,
      id: span.spanId,
      parent: span.parentSpanId ?? "",
      name: span.name,
      startMs: Number(span.startTimeUnixNano) / 1e6,
      endMs: Number(span.endTimeUnixNano) / 1e6,
      isFailed: span.status?.code === 2,
      about: Object.fromEntries(
        span.attributes.map(({ key, value: { stringValue, intValue, doubleValue, arrayValue } }) => [
          key,
          stringValue ??
            doubleValue ??
            (intValue === undefined ? undefined : Number(intValue)) ??
            arrayValue?.values.map((one) => one.stringValue),
        ]),
      ),
    }));
}

/** The gateway as it is deployed. @returns its address. */
async function spawnGateway(world: World, env: Readonly<Record<string, string>>): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), "suture-trace-"));
  const keys = join(dataDir, "keys.json");
  writeFileSync(keys, world.keyring.exportJson(), { mode: 0o600 });
  const child = spawn(process.execPath, ["services/gateway/main.ts"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...processEnv(),
      REDIS_URL: testRedisUrl(),
      SUTURE_PREFIX: world.store.keys.prefix,
      SUTURE_KEYS: `@${keys}`,
      SUTURE_DATA_DIR: dataDir,
      SUTURE_API_KEYS: `trace:admin:${KEY}`,
      SUTURE_GATEWAY_PORT: "0",
      ...env,
    },
  });
  onTestFinished(async () => {
    await stop(child);
    rmSync(dataDir, { recursive: true, force: true });
  });
  const told = z.looseObject({ url: z.string().optional() });
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = told.parse(JSON.parse(line));
    if (url !== undefined) {
      child.stdout.resume();
      return url;
    }
  }
  throw new Error("the gateway ended before it listened");
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null && child.kill("SIGTERM"))
    await once(child, "exit");
}

async function openTraced() {
  const support = (await loadTeams("services/agents")).find(({ name }) => name === "support");
  if (support === undefined) throw new Error("there is no support team");
  const world = createWorld(support);
  const [collector, rehearsal] = await Promise.all([startCollector(), openRehearsal(support)]);
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: "100" };
  const agents = spawnAgents({
    agents: [...support.agents.keys()],
    prefix: world.store.keys.prefix,
    keyring: world.keyring,
    modelUrl: "",
    sandboxUrl: rehearsal.url,
    env: { ...traced, OPENAI_API_KEY: "", SUTURE_REHEARSAL_PORT: new URL(rehearsal.url).port },
  });
  onTestFinished(() => stop(agents));
  const url = await spawnGateway(world, traced);
  const post = async (path: string, body: unknown): Promise<string> => {
    const reply = await fetch(url + path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${KEY}`,
        "content-type": "application/json",
        traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01`,
      },
      body: JSON.stringify(body),
    });
    return z.looseObject({ run_id: z.string() }).parse(await reply.json()).run_id;
  };
  const show = async (runId: string): Promise<unknown> =>
    (await fetch(`${url}/v1/runs/${runId}`, { headers: { authorization: `Bearer ${KEY}` } })).json();
  const own = (): Span[] => collector.spans.filter(({ traceId }) => traceId === TRACE_ID);
  const one = async (name: string): Promise<Span> => {
    await expect.poll(() => own().some((span) => span.name === name), { timeout: SPAN_MS }).toBe(true);
    return own().find((span) => span.name === name) as Span;
  };
  return { world, post, show, own, one, collector };
}

it("is one trace from the HTTP request to the result, with the gap between agents, tokens and references", async () => {
  const { world, post, show, own, one, collector } = await openTraced();
  const words = "The zebra-striped lamp arrived with a cracked base.";
  const runId = await post("/v1/tasks", {
    team: "support",
    input: {
      from: "Ada <ada@example.org>",
      subject: "Refund for order A-10245",
      body: `${words} I'd like my money back please, it was 42.50 EUR. Order number is A-10245.`,
    },
  });
  expect(await world.until(runId)).toMatchObject({ status: "completed", trace_id: TRACE_ID });
  const [http, triage, sent, refunds, reply] = [
    await one("POST /v1/tasks"),
    await one("process triage"),
    await one("send refunds"),
    await one("process refunds"),
    await one("process reply"),
  ];
  // Each is caused by the one before it, over process borders.
  expect(http.parent).toBe("00f067aa0ba902b7");
  expect(triage.parent).toBe(http.id);
  expect(sent.parent).toBe(triage.id);
  expect(refunds.parent).toBe(sent.id);
  const messages = await world.store.runs.messages(runId);
  const idOf = (agent: string): string =>
    messages.find((message) => message.agent === agent)?.message_id ?? "";
  expect(triage.about).toMatchObject({
    "messaging.message.id": idOf("triage"),
    "suture.contract": "support.email@1",
    "suture.input.digest": expect.stringMatching(/^[0-9a-f]{64}$/),
    "suture.outcome": "handed_off",
    "suture.outputs": [idOf("refunds")],
  });
  expect(triage.about["suture.tokens"]).toBeGreaterThan(0);
  expect(sent.about["messaging.message.id"]).toBe(idOf("refunds"));
  expect(reply.about["suture.outputs"]).toEqual([`run:${runId}/result`]);
  // The gap between two agents: between the end of sending and the start of handling, and as a number.
  for (const [from, to] of [[sent, refunds]] as const) {
    const gapMs = to.startMs - from.endMs;
    expect(gapMs).toBeGreaterThanOrEqual(-1);
    expect(Math.abs(gapMs - Number(to.about["suture.waited_ms"]))).toBeLessThan(1000);
  }
  // A model call with its tokens inside the step that asked.
  const asked = await one("chat rehearsal-router");
  expect(asked.about["gen_ai.usage.input_tokens"]).toBeGreaterThan(0);
  expect(ancestorsOf(asked, own())).toContain(triage.id);
  expect(await show(runId)).toMatchObject({
    trace_id: TRACE_ID,
    hops: [
      { agent: "triage", contract: "support.email@1", waited_ms: expect.any(Number), failure: null },
      { agent: "refunds", waited_ms: expect.any(Number) },
      { agent: "reply", waited_ms: expect.any(Number), outcome: "completed" },
    ],
  });
  expect(collector.texts.join()).not.toContain("zebra-striped");
}, 90_000);

it("tells of a step that failed what it was given, how long it took and why, and nothing that it made", async () => {
  const { world, post, show, one } = await openTraced();
  const runId = await post("/v1/handoffs", {
    target_agent: "refunds",
    contract: "refunds.request@2",
    data_payload: { order_id: 7 },
    on_invalid: "ward",
  });
  await world.until(runId, ["in_ward"]);
  const refunds = await one("process refunds");
  expect(refunds.isFailed).toBe(true);
  expect(refunds.about).toMatchObject({
    "suture.failure_class": "validation_error",
    "error.type": expect.any(String),
    "suture.contract": "refunds.request@2",
    "suture.input.digest": expect.stringMatching(/^[0-9a-f]{64}$/),
    "suture.outcome": "failed",
    "suture.outputs": [],
    "suture.tokens": 0,
    "suture.cost_usd": 0,
    "suture.waited_ms": expect.any(Number),
  });
  expect(refunds.endMs).toBeGreaterThanOrEqual(refunds.startMs);
  expect(await show(runId)).toMatchObject({
    hops: [
      {
        agent: "refunds",
        outcome: "in_ward",
        ms: expect.any(Number),
        tokens: 0,
        failure: { class: "validation_error", paths: expect.arrayContaining(["/order_id"]) },
      },
    ],
  });
}, 90_000);

function ancestorsOf(span: Span, spans: readonly Span[]): string[] {
  const found: string[] = [];
  let current: Span | undefined = span;
  while (current !== undefined && found.length < 20) {
    found.push(current.parent);
    const { parent }: Span = current;
    current = spans.find(({ id }) => id === parent);
  }
  return found;
}

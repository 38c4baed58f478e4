import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { createTestSystem } from "#shared/testing";
import { rehearseSupport } from "./support/rehearsal-model.ts";
import { spawnAgents, spawnGateway, spawnService } from "./support/service-process.ts";
import { startCollector } from "./support/trace-collector.ts";
import type { Span } from "./support/trace-collector.ts";

/** A run as whoever traces it sees it: real processes that tell a collector, from the HTTP request to the result. */

const KEY = "trace-secret-0123456789";
const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN_MS = 30_000;
const VERSION = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync("package.json", "utf8"))).version;

async function openTraced() {
  const { support, env } = await rehearseSupport();
  const system = createTestSystem(support);
  const collector = await startCollector();
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: "100" };
  spawnAgents(system, [...support.agents.keys()], { ...traced, ...env });
  const { url } = await spawnGateway(system, { SUTURE_API_KEYS: `trace:admin:${KEY}`, ...traced });
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
  const one = async (name: string, isIt: (span: Span) => boolean = () => true): Promise<Span> => {
    const find = (): Span | undefined => own().find((span) => span.name === name && isIt(span));
    await expect.poll(() => find() !== undefined, { timeout: SPAN_MS }).toBe(true);
    return find() as Span;
  };
  const spawnSurgeon = () => spawnService(system, { name: "surgeon", env: { ...traced, ...env } });
  return { system, post, show, own, one, collector, spawnSurgeon };
}

it("is one trace from the HTTP request to the result, with the gap between agents, tokens and references", async () => {
  const { system, post, show, own, one, collector } = await openTraced();
  const words = "The zebra-striped lamp arrived with a cracked base.";
  const runId = await post("/v1/tasks", {
    team: "support",
    input: {
      from: "Ada <ada@example.org>",
      subject: "Refund for order AB-10023",
      body: `${words} I'd like my money back please, it was 42.50 EUR. Order number is AB-10023.`,
    },
  });
  expect(await system.until(runId)).toMatchObject({ status: "completed", trace_id: TRACE_ID });
  const sent = await one("send refunds");
  const [http, triage, refunds, reply] = [
    await one("POST /v1/tasks"),
    // On a busy machine an agent may be at work a second time: the one that sent is meant.
    await one("process triage", ({ id }) => id === sent.parent),
    await one("process refunds", ({ parent }) => parent === sent.id),
    await one("process reply"),
  ];
  // Each is caused by the one before it, over process borders.
  expect(http.parent).toBe("00f067aa0ba902b7");
  expect(triage.parent).toBe(http.id);
  const messages = await system.store.runs.messages(runId);
  const idOf = (agent: string): string =>
    messages.find((message) => message.agent === agent)?.message_id ?? "";
  expect(triage.about).toMatchObject({
    "messaging.message.id": idOf("triage"),
    "messaging.operation.type": "process",
    "messaging.operation.name": "process",
    "suture.contract": "support.email@1",
    "suture.input.digest": expect.stringMatching(/^[0-9a-f]{64}$/),
    "suture.outcome": "handed_off",
    "suture.outputs": [idOf("refunds")],
  });
  expect(triage.about["suture.tokens"]).toBeGreaterThan(0);
  expect(sent.about).toMatchObject({
    "messaging.message.id": idOf("refunds"),
    "messaging.operation.name": "send",
  });
  // Each process says which copy it is, and differs from the others.
  expect(http.resource).toMatchObject({ "service.name": "gateway", "service.version": VERSION });
  expect(triage.resource).toMatchObject({ "service.name": "agents", "service.version": VERSION });
  const instances = [http, triage].map(({ resource }) => resource["service.instance.id"]);
  expect(instances).toEqual([
    expect.stringMatching(/^[0-9a-f-]{36}$/),
    expect.stringMatching(/^[0-9a-f-]{36}$/),
  ]);
  expect(instances[0]).not.toBe(instances[1]);
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
});

it("tells of a step that failed what it was given, how long it took and why, and nothing that it made", async () => {
  const { system, post, show, one } = await openTraced();
  const runId = await post("/v1/handoffs", {
    target_agent: "refunds",
    contract: "refunds.request@2",
    data_payload: { order_id: 7 },
    on_invalid: "ward",
  });
  await system.until(runId, ["in_ward"]);
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
});

it("links a case's surgery to the trace of its message, and the repaired message back to the surgery", async () => {
  const { system, post, one, own, collector, spawnSurgeon } = await openTraced();
  spawnSurgeon();
  const lead = {
    company: "Bright Labs",
    seats: 120,
    customer_email: "karen.osei@brightlabs.example",
    language: "en",
    summary: "Asks for a quote for 120 seats.",
    text: "We need a quote for 120 zebra-striped seats.",
    budget: { value: 15_000, currency: "EUR" },
  };
  const runId = await post("/v1/handoffs", {
    target_agent: "sales",
    contract: "sales.lead@1",
    data_payload: `\`\`\`json\n${JSON.stringify(lead)}\n\`\`\``,
    on_invalid: "ward",
  });
  expect(await system.until(runId)).toMatchObject({ status: "completed" });
  const died = await one("process sales");
  const surgeries = (): Span[] => collector.spans.filter(({ name }) => name === "process ward");
  await expect.poll(surgeries, { timeout: SPAN_MS }).toHaveLength(1);
  const [surgery] = surgeries();
  // A trace of its own: one case may lie here for days.
  expect(surgery?.traceId).not.toBe(TRACE_ID);
  expect(surgery?.links.map(({ traceId }) => traceId)).toEqual([TRACE_ID]);
  const about = {
    "messaging.system": "bullmq",
    "messaging.operation.name": "process",
    "suture.case_id": expect.stringMatching(/./),
    "suture.run_id": runId,
    "suture.outcome": "discharged",
    "suture.procedure": "first_aid",
    "suture.cost_usd": 0,
    "gen_ai.agent.name": "sales",
  };
  expect(surgery?.about).toMatchObject(about);
  expect(surgery?.resource).toMatchObject({ "service.name": "surgeon", "service.version": VERSION });
  const isSentBack = (span: Span): boolean => span.links.some(({ spanId }) => spanId === surgery?.id);
  await expect.poll(() => own().filter(isSentBack), { timeout: SPAN_MS }).toHaveLength(1);
  const [sent] = own().filter(isSentBack);
  expect(sent).toMatchObject({
    name: "send sales",
    about: { "suture.case_id": surgery?.about["suture.case_id"] },
  });
  // That caused the second handling.
  await expect.poll(() => own().find(({ parent }) => parent === sent?.id)?.name).toBe("process sales");
  expect(died.isFailed).toBe(true);
  expect(collector.texts.join()).not.toContain("zebra-striped");
});

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

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { join } from "node:path";
import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { now, setClock, sleep } from "#shared/clock";
import { contract } from "#shared/contract";
import { RETRY_POLICY_DEFAULT } from "#shared/failure";
import { createModelClient } from "#shared/model";
import type { ModelClient } from "#shared/model";
import { agent, RUNTIME_LIMITS_DEFAULT, team } from "#shared/runtime";
import { createTestSystem, listenLocally, serveHttp, temporaryFolder } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { findCases } from "#shared/ward";
import { complete } from "./support/model-endpoint.ts";

/** Agents whose model endpoint is away: messages wait, none uses up a delivery or becomes a case. */

const MESSAGES = 20;
const Note = contract("note@1", z.object({ text: z.string() }));
const Reading = contract("reading@1", z.object({ words: z.int() }));

const reader = agent("reader@1", {
  accepts: Note,
  answers: [Reading],
  handle: async (note, ctx) => {
    const request = { instructions: "Count the words.", input: note, answers: Reading };
    return ctx.complete(await ctx.model("count", request));
  },
});

type Reply = (response: ServerResponse, model: string, asked: string) => void;

const well: Reply = (response, model) => complete(response, { text: '{"words": 2}', model });
const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(code, headers).end("{}");

/** A refusal of the form that our requests have. */
const refusing: Reply = (response) =>
  void response
    .writeHead(400, { "content-type": "application/json" })
    .end(JSON.stringify({ error: { message: "Invalid schema", param: "response_format", code: null } }));

interface Fixture {
  readonly system: TestSystem;
  readonly endpoint: { reply: Reply; sick: number; answered: number };
  readonly errors: Record<string, unknown>[];
  use(client: "http" | "dns" | "tls"): void;
}

interface FixtureOptions {
  readonly retry?: Partial<typeof RETRY_POLICY_DEFAULT>;
  readonly circuit?: { failuresMax?: number; probeMs?: number; probeMsMax?: number; drainPerSecond?: number };
  readonly modelTimeoutMs?: number;
}

/** An hour's and a minute's waits, shortened fifty times. */
const SHORT: FixtureOptions = {
  retry: { delayMs: 20, delayMsMax: 500 },
  circuit: { failuresMax: 3, probeMs: 40, probeMsMax: 400, drainPerSecond: 100 },
  modelTimeoutMs: 300,
};

async function openFixture({ retry, circuit, modelTimeoutMs = 5000 }: FixtureOptions): Promise<Fixture> {
  const system = createTestSystem(team("readers", [reader]));
  const endpoint: Fixture["endpoint"] = { reply: well, sick: 0, answered: 0 };
  const url = await serveHttp((_request, response, asked) => {
    if (endpoint.reply === well) endpoint.answered += 1;
    else endpoint.sick += 1;
    endpoint.reply(response, "small", asked);
  });
  const clients = {
    http: clientAt(`${url}/v1`),
    // A label of a name has at most 63 messages: the resolver refuses without asking anybody.
    dns: clientAt(`http://${"a".repeat(64)}.invalid/v1`),
    tls: clientAt(await openUntrusted()),
  };
  let used: keyof typeof clients = "http";
  const model: ModelClient = {
    ...clients.http,
    ask(call) {
      if (used !== "http") endpoint.sick += 1;
      return clients[used].ask(call);
    },
  };
  const errors: Fixture["errors"] = [];
  const logger = pino({ level: "error" }, { write: (line: string) => void errors.push(JSON.parse(line)) });
  const limits = {
    ...RUNTIME_LIMITS_DEFAULT,
    retry: { ...RETRY_POLICY_DEFAULT, ...retry },
    modelTimeoutMs,
  };
  // Two processes' worth of agents, which know of each other through Redis alone.
  for (let index = 0; index < 2; index += 1)
    await system.start({
      model,
      logger,
      limits,
      lockMs: 30_000,
      guard: { clockCheckMs: 3_600_000 },
      ...(circuit === undefined ? {} : { circuit }),
    });
  onTestFinished(async () => {
    for (const client of Object.values(clients)) client.close();
  });
  return { system, endpoint, errors, use: (client) => (used = client) };
}

/** Address of an endpoint whose certificate nobody has signed but itself. */
async function openUntrusted(): Promise<string> {
  const folder = temporaryFolder();
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-days", "1", "-nodes", "-newkey", "rsa:2048"];
  execFileSync("openssl", ["req", "-x509", ...subject, "-keyout", key, "-out", cert], { stdio: "ignore" });
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) =>
    response.end("{}"),
  );
  return `https://127.0.0.1:${await listenLocally(server)}/v1`;
}

function clientAt(baseUrl: string): ModelClient {
  const models = { router: "small", worker: "small", surgeon: "large" };
  return createModelClient({ baseUrl, apiKey: "sk-not-to-be-seen", models });
}

async function submitAll({ system }: Fixture): Promise<string[]> {
  const runs: string[] = [];
  for (let n = 0; n < MESSAGES; n += 1)
    runs.push((await system.submit({ text: `note ${n}` }, { ttlMs: 24 * 3_600_000 })).runId);
  return runs;
}

/** Every run completes, no case was made, and no delivery was used up on the way. */
async function expectUnharmed({ system }: Fixture, runs: readonly string[]): Promise<void> {
  const { store } = system;
  await expect.poll(async () => (await store.runs.counts()).completed, { interval: 50 }).toBe(runs.length);
  const cases = Object.values(await store.cases.counts());
  expect(cases.reduce((sum, count) => sum + count, 0)).toBe(0);
  for (const run of runs) {
    const events = await store.runs.events(run, { from: 0, limit: 1000 });
    expect(events.filter(({ type }) => type === "retry")).toEqual([]);
  }
}

/** Calls before both processes know the circuit open: in each five fresh and two retries; its failures twice. */
const IN_FLIGHT_MAX = 2 * (5 + 2 + 3);

describe("a model endpoint that is away", () => {
  it.each<[string, Reply | "dns" | "tls"]>([
    ["503", status(503)],
    ["a hang", () => undefined],
    ["a certificate that nobody trusts", "tls"],
    ["a schema that is refused", refusing],
  ])("for a minute with %s harms none of 20 messages, and is asked by probes alone", async (_name, how) => {
    const fixture = await openFixture(SHORT);
    if (typeof how === "string") fixture.use(how);
    else fixture.endpoint.reply = how;
    const startedMs = performance.now();
    const runs = await submitAll(fixture);
    await sleep(1200);
    const { sick } = fixture.endpoint;
    const lastedMs = performance.now() - startedMs;
    fixture.use("http");
    fixture.endpoint.reply = well;
    await expectUnharmed(fixture, runs);
    // Probes after 40, 80, 160, 320 ms and then every 400 ms, however long a busy machine makes of it.
    expect(sick).toBeLessThanOrEqual(IN_FLIGHT_MAX + 4 + Math.ceil(lastedMs / 400));
    expect(sick).toBeGreaterThan(3);
  });

  it("because its key is wrong is said once by each process, and of each agent that waits for it", async () => {
    const fixture = await openFixture({
      circuit: { probeMsMax: 2000 },
      retry: { delayMs: 50, delayMsMax: 1000 },
    });
    const { registry } = fixture.system.store;
    fixture.endpoint.reply = status(401);
    const runs = await submitAll(fixture);
    const waits = async () => (await registry.live()).map((one) => one.waits_for_model?.reason);
    await expect.poll(waits).toEqual(["configuration", "configuration"]);
    expect(fixture.errors).toHaveLength(2);
    expect(fixture.errors[0]).toMatchObject({ code: "MODEL_CIRCUIT_OPEN", reason: "configuration" });
    const told = JSON.stringify(fixture.errors);
    expect(told).toContain("OPENAI_API_KEY");
    expect(told).not.toContain("sk-not-to-be-seen");
    fixture.endpoint.reply = well;
    await expectUnharmed(fixture, runs);
    await expect.poll(waits).toEqual([undefined, undefined]);
  });

  it("and refuses one message without a reason, though it answers the others, has that one end in the ward", async () => {
    const fixture = await openFixture(SHORT);
    const refuses = '"note 7\\"';
    fixture.endpoint.reply = (response, model, asked) =>
      asked.includes(refuses) ? status(400)(response, model, asked) : well(response, model, asked);
    // Somebody has been answered before.
    await fixture.system.run({ text: "the first" });
    await submitAll(fixture);
    await expect
      .poll(async () => (await fixture.system.store.runs.counts()).completed, { interval: 50 })
      .toBe(MESSAGES);
    await expect
      .poll(async () => (await findCases(fixture.system.store, { filter: {}, limit: 5 })).cases)
      .toMatchObject([{ failure_class: "handler_error" }]);
  });

  it("for an hour harms none of 20 messages, and is asked about twice a minute", async () => {
    const fixture = await openFixture({});
    const { store } = fixture.system;
    const startMs = now();
    let movedMs = 0;
    onTestFinished(setClock({ now: () => Date.now() + movedMs }));
    fixture.endpoint.reply = status(503);
    const runs = await submitAll(fixture);
    const waiting = async (): Promise<number> => store.queues.of("reader", "retry").getDelayedCount();
    await expect.poll(waiting).toBe(MESSAGES);
    while (now() - startMs < 3_600_000) {
      movedMs += 60_000;
      // The engine's own clock cannot be moved: this is what it would do in that minute.
      await store.queues.of("reader", "retry").promoteJobs();
      await expect.poll(waiting, { interval: 20 }).toBe(MESSAGES);
    }
    expect(fixture.endpoint.sick).toBeLessThanOrEqual(IN_FLIGHT_MAX + 120);
    expect(fixture.endpoint.sick).toBeGreaterThan(30);
    fixture.endpoint.reply = well;
    const done = async (): Promise<number> => {
      movedMs += 5000;
      await store.queues.of("reader", "retry").promoteJobs();
      return (await store.runs.counts()).completed;
    };
    await expect.poll(done, { interval: 100 }).toBe(MESSAGES);
    await expectUnharmed(fixture, runs);
  });
});

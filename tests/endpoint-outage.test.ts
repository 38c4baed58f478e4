import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { now, setClock } from "#shared/clock";
import { contract } from "#shared/contract";
import { createModelClient, PRICES_DEFAULT } from "#shared/model";
import type { ModelClient } from "#shared/model";
import { agent, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { findCases, toWardCase } from "#shared/ward";
import { startSurgeon } from "../services/surgeon/start-surgeon.ts";
import { SURGERY_LIMITS_DEFAULT } from "../services/surgeon/surgery.ts";
import type { SurgeryLimits } from "../services/surgeon/surgery.ts";
import { listen, openUntrusted } from "./support/sick-endpoint.ts";

/**
 * The model's endpoint is down, in every way an endpoint can be: cases wait, none is left to a person for it, and
 * the ward drains within its limits afterwards. What takes ten minutes in life is shortened by configuration,
 * never slept.
 */

const GROUPS = 20;
const MESSAGES_PER_GROUP = 10;
const DAMAGED = [
  "a",
  "b",
  "c",
  "d",
  "e",
  "f",
  "g",
  "h",
  "i",
  "j",
  "k",
  "l",
  "m",
  "n",
  "o",
  "p",
  "q",
  "r",
  "s",
  "t",
];

/** Each message lacks one of many members, which its query names: as many groups as members, and no recipe for any. */
const Form = contract(
  "desk.form@1",
  z.strictObject(Object.fromEntries(DAMAGED.map((name) => [`field_${name}`, z.int()]))),
);

type Reply = (request: IncomingMessage, response: ServerResponse, question: Record<string, unknown>) => void;

interface Endpoint {
  /** What it does with the next questions. */
  reply: Reply;
  asked: number;
  answered: number;
}

function openEndpoint(): Endpoint & { readonly handle: Parameters<typeof createServer>[1] } {
  const endpoint: Endpoint = { reply: answerWell, asked: 0, answered: 0 };
  return Object.assign(endpoint, {
    handle: (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("error", () => undefined);
      request.on("end", () => {
        endpoint.asked += 1;
        if (endpoint.reply === answerWell) endpoint.answered += 1;
        // What the client under test sends.
        const body = JSON.parse(Buffer.concat(chunks).toString()) as {
          messages: { role: string; content: string }[];
        };
        const question = body.messages.find(({ role }) => role === "user")?.content ?? "{}";
        endpoint.reply(request, response, JSON.parse(question) as Record<string, unknown>);
      });
    },
  });
}

const answerWell: Reply = (_request, response, question) => {
  const message = JSON.parse(String(question["message"]).split("\n").slice(1, -1).join("\n")) as object;
  const [, name, value] = /Field (\w+) is (\d+)/.exec(String(question["original_query"])) ?? [];
  const payload = JSON.stringify({ ...message, [`field_${name}`]: Number(value) });
  send(response, JSON.stringify({ verdict: "repaired", payload, reason: "as asked", recipe: null }));
};

function send(response: ServerResponse, content: string): void {
  response.writeHead(200, { "content-type": "application/json" });
  const choice = { index: 0, message: { role: "assistant", content }, finish_reason: "stop" };
  const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };
  response.end(
    JSON.stringify({ id: "x", object: "chat.completion", model: "gpt-5", choices: [choice], usage }),
  );
}

/** Ways to be down, each for as long as it takes to be asked some times. */
const TROUBLES: readonly (readonly [name: string, reply: Reply])[] = [
  ["429", (_request, response) => void response.writeHead(429, { "retry-after": "0" }).end("{}")],
  ["500", (_request, response) => void response.writeHead(500).end("{}")],
  ["a key that has run out", (_request, response) => void response.writeHead(401).end("{}")],
  ["a page to log in at", (_request, response) => void response.writeHead(302, { location: "/login" }).end()],
  ["an address that is gone", (_request, response) => void response.writeHead(404).end("{}")],
  ["silence", () => undefined],
  [
    "a drip",
    (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    },
  ],
  [
    "half an answer",
    (_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"id":"x","choices":[');
      setTimeout(() => response.destroy(), 10);
    },
  ],
  ["a page of HTML", (_request, response) => void response.writeHead(200).end("<html>maintenance</html>")],
];

interface Fixture {
  readonly system: TestSystem;
  readonly endpoint: Endpoint;
  readonly runs: readonly string[];
  /** What the surgeon said in its log, by message. */
  readonly said: string[];
  /** Which client the surgeon asks through. */
  use(client: "http" | "refused" | "tls"): void;
}

async function openFixture(
  limits: Partial<SurgeryLimits>,
  messages = MESSAGES_PER_GROUP * GROUPS,
): Promise<Fixture> {
  const desk = agent("desk@1", { accepts: Form, handle: (_input, ctx) => ctx.complete({}) });
  const system = createTestSystem(team("help", [desk]));
  const endpoint = openEndpoint();
  const plain = createServer(endpoint.handle ?? (() => undefined));
  const clients = {
    http: clientAt(`http://127.0.0.1:${await listen(plain)}/v1`),
    // Port 9 is closed.
    refused: clientAt("http://127.0.0.1:9/v1"),
    tls: clientAt(await openUntrusted()),
  };
  let used: keyof typeof clients = "http";
  const said: string[] = [];
  const logger = pino({ level: "warn" }, { write: (line: string) => void said.push(line) });
  const switching: ModelClient = {
    rehearsal: false,
    endpoint: clients.http.endpoint,
    modelFor: (tier) => clients.http.modelFor(tier),
    roomOf: (asked) => clients.http.roomOf(asked),
    ask: (call) => clients[used].ask(call),
    close: () => Object.values(clients).forEach((one) => one.close()),
  };
  // The clock is moved below, and neither agents nor surgeon are to stand still for it.
  await system.start({ concurrency: 20, guard: { clockCheckMs: 3_600_000 } });
  const runs: string[] = [];
  for (let n = 0; n < messages; n += 1) {
    const name = DAMAGED[n % GROUPS] ?? "a";
    const whole = Object.fromEntries(DAMAGED.map((one) => [`field_${one}`, 1]));
    const payload = Object.fromEntries(Object.entries(whole).filter(([field]) => field !== `field_${name}`));
    const original_query = `Field ${name} is ${100_000 + n}.`;
    runs.push((await system.submit(payload, { user: { original_query } })).runId);
  }
  const { cases } = system.store;
  await expect.poll(async () => (await cases.counts()).admitted, { timeout: 60_000 }).toBe(messages);
  const surgeon = startSurgeon({
    store: system.store,
    keyring: system.keyring,
    teams: [system.team],
    model: switching,
    circuit: { failuresMax: 4, probeMs: 40, probeMsMax: 40, drainPerSecond: 1000 },
    prices: PRICES_DEFAULT,
    logger,
    limits: { ...SURGERY_LIMITS_DEFAULT, waitMsMin: 20, modelTimeoutMs: 1000, ...limits },
    upkeepMs: 50,
    lockMs: 30_000,
    guard: { clockCheckMs: 3_600_000 },
  });
  onTestFinished(async () => {
    await surgeon.stop(0);
    switching.close();
    plain.closeAllConnections();
    await new Promise<void>((resolve) => void plain.close(() => resolve()));
  });
  return { system, endpoint, runs, said, use: (client) => (used = client) };
}

function clientAt(baseUrl: string): ModelClient {
  const models = { router: "gpt-5-nano", worker: "gpt-5-mini", surgeon: "gpt-5" };
  return createModelClient({ baseUrl, apiKey: "none", models });
}

async function waitsSoFar({ system }: Fixture): Promise<number> {
  const audit = await system.store.cases.audit(null, 10_000);
  return audit.filter(({ action }) => action === "wait").length;
}

/** Stays as it is until cases were put back some more times for it. */
async function suffer(fixture: Fixture): Promise<void> {
  const before = await waitsSoFar(fixture);
  await expect
    .poll(() => waitsSoFar(fixture), { timeout: 60_000, interval: 50 })
    .toBeGreaterThan(before + 12);
}

async function checkNothingCounted({ system, endpoint }: Fixture): Promise<void> {
  const { cases } = system.store;
  expect(await cases.counts()).toMatchObject({ quarantined: 0, discharged: 0, discarded: 0 });
  const page = await findCases(system.store, { filter: {}, limit: 500 });
  // For the one that is being asked about, money is set aside at this moment.
  for (const one of page.cases)
    expect(one).toMatchObject({
      operations: 0,
      diagnosis: null,
      ...(one.status === "in_surgery" ? {} : { cost: 0 }),
    });
  expect(endpoint.answered).toBe(0);
}

async function untilDrained({ system, runs }: Fixture): Promise<void> {
  const done = async (): Promise<number> => (await system.store.runs.counts()).completed;
  await expect.poll(done, { timeout: 120_000, interval: 100 }).toBe(runs.length);
  expect(await system.store.cases.counts()).toMatchObject({
    admitted: 0,
    in_surgery: 0,
    quarantined: 0,
    discharged: runs.length,
  });
}

async function checkMoney({ system }: Fixture, limits: Partial<SurgeryLimits>): Promise<void> {
  const { costPerCase, costPerGroup } = { ...SURGERY_LIMITS_DEFAULT, ...limits };
  const page = await findCases(system.store, { filter: {}, limit: 500 });
  for (const one of page.cases) {
    expect(one.cost).toBeLessThanOrEqual(costPerCase);
    expect(one.operations).toBe(1);
  }
  const groups = await system.store.cases.groups.list({ offset: 0, limit: 100 });
  expect(groups).toHaveLength(GROUPS);
  for (const group of groups) expect(group.cost).toBeLessThanOrEqual(costPerGroup);
}

describe("an endpoint that is down", () => {
  it("in every way in turn makes cases wait, and costs none of them an operation; then the ward drains", async () => {
    const limits = { costPerHour: 20 };
    const fixture = await openFixture(limits);
    for (const [, reply] of TROUBLES) {
      fixture.endpoint.reply = reply;
      await suffer(fixture);
    }
    fixture.use("refused");
    await suffer(fixture);
    fixture.use("tls");
    await suffer(fixture);
    await checkNothingCounted(fixture);
    const { cases } = fixture.system.store;
    // What was sent and never answered may have been paid for: the hour bears it, and no case does.
    const unknown = await cases.costs.spentThisHour();
    expect(unknown).toBeGreaterThan(0);
    const page = await findCases(fixture.system.store, { filter: {}, limit: 500 });
    const waiting = page.cases.filter(({ waits }) => waits !== null);
    expect(waiting.length).toBeGreaterThan(0);
    expect(fixture.said.some((line) => line.includes("MODEL_CIRCUIT_OPEN"))).toBe(true);
    fixture.endpoint.reply = answerWell;
    fixture.use("http");
    await untilDrained(fixture);
    await checkMoney(fixture, limits);
    expect(await cases.costs.spentThisHour()).toBeLessThanOrEqual(limits.costPerHour * 1e6);
    expect(fixture.endpoint.answered).toBeGreaterThanOrEqual(fixture.runs.length);
  }, 300_000);
});

describe("an hour whose money is spent", () => {
  it("makes cases wait for the next, says so where people look, and heals by itself when it has come", async () => {
    const limits = { costPerHour: 0.1 };
    const messages = GROUPS * 3;
    const fixture = await openFixture(limits, messages);
    const { store } = fixture.system;
    const { cases } = store;
    const resting = async () => {
      const groups = await cases.groups.list({ offset: 0, limit: 100 });
      return groups.filter(({ rest }) => rest.until_ms !== null && rest.why.includes("in this hour"));
    };
    const isDone = async (): Promise<boolean> => {
      const { completed } = await store.runs.counts();
      return (await resting()).length > 0 && completed < messages && (await cases.counts()).in_surgery === 0;
    };
    await expect.poll(isDone, { timeout: 60_000 }).toBe(true);
    expect(await cases.costs.spentThisHour()).toBeLessThanOrEqual(limits.costPerHour * 1e6);
    expect((await cases.counts()).quarantined).toBe(0);
    const page = await findCases(store, { filter: { status: "admitted" }, limit: 500 });
    const why = page.cases.flatMap(({ waits }) => (waits === null ? [] : [waits]));
    expect(why.length).toBeGreaterThan(0);
    expect(why[0]?.why).toContain("What may be spent in this hour is spent");
    expect(fixture.said.join("\n")).toContain("cases wait for the next");
    expect((await cases.costs.heldThisHour())?.refusals).toBeGreaterThan(0);
    // Hour after hour, as long as it takes.
    for (let hours = 1; (await store.runs.counts()).completed < messages; hours += 1) {
      expect(hours).toBeLessThan(40);
      const before = (await store.runs.counts()).completed;
      onTestFinished(setClock({ now: () => Date.now() + hours * 3_600_000 }));
      // What the engine's own clock would do in that hour.
      await store.queues.of("ward", "ward").promoteJobs();
      expect((await cases.costs.heldThisHour())?.refusals ?? 0).toBeLessThanOrEqual(messages);
      // An hour's money may all go into first readings, whose second ones are paid in the next.
      const hasMoved = async (): Promise<boolean> =>
        (await store.runs.counts()).completed > before || (await cases.costs.spentThisHour()) > 0;
      await expect.poll(hasMoved, { timeout: 60_000 }).toBe(true);
      const isAtRest = async (): Promise<boolean> => {
        if ((await store.runs.counts()).completed === messages || (await isDone())) return true;
        // Some wait for less than the hour's end.
        await store.queues.of("ward", "ward").promoteJobs();
        return false;
      };
      await expect.poll(isAtRest, { timeout: 60_000, interval: 1000 }).toBe(true);
      expect(await cases.costs.spentThisHour()).toBeLessThanOrEqual(limits.costPerHour * 1e6);
    }
    const { cases: all } = await findCases(store, { filter: {}, limit: 500 });
    for (const one of all) expect(one).toMatchObject({ status: "discharged", waits: null, operations: 1 });
    expect(toWardCase(await cases.get(all[0]?.case_id ?? "")).closed_ms).toBeLessThanOrEqual(now());
  }, 300_000);
});

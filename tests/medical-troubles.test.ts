import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createModelClient, PRICES_DEFAULT } from "#shared/model";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { createMedicalTeam } from "../services/agents/medical/team.ts";
import { samplePractice } from "../services/agents/medical/testing/sample-practice.ts";
import { startSurgeon } from "../services/surgeon/start-surgeon.ts";
import { SURGERY_LIMITS_DEFAULT } from "../services/surgeon/surgery.ts";
import { spawnAgents, whenGone } from "./support/agent-process.ts";
import type { AgentProcessOptions } from "./support/agent-process.ts";
import { startModelEndpoint } from "./support/model-endpoint.ts";
import type { ModelEndpoint } from "./support/model-endpoint.ts";

const NO_DESK = "http://127.0.0.1:9";
const FOLLOW_UP = "specialist_follow-up_2";
const JUDGEMENTS = "medical_judgements_1";
const HEART = { visit_id: "v-1", turns: [{ role: "patient", text: "My heart skips beats in the evening." }] };
const GOOD = {
  question: "Do you feel faint when your heart skips beats?",
  asks_about: "fainting",
  because: "heart skips beats",
  citation: null,
  urgency: "soon",
};

const teamFor = (deskUrl: string) => createMedicalTeam(samplePractice(deskUrl));

async function openEndpoint(): Promise<ModelEndpoint> {
  const endpoint = await startModelEndpoint([teamFor(NO_DESK)]);
  onTestFinished(() => endpoint.close());
  return endpoint;
}

/** Agents and a surgeon in this process, with models at the endpoint. */
async function openPractice(endpoint: ModelEndpoint): Promise<TestSystem> {
  const team = teamFor(NO_DESK);
  const models = { router: "gpt-5-nano", worker: "gpt-5-mini", surgeon: "gpt-5" };
  const model = createModelClient({ baseUrl: endpoint.url, apiKey: "none", models, timeoutMs: 10_000 });
  const system = createTestSystem(team);
  await system.start({ model });
  const surgeon = startSurgeon({
    store: system.store,
    keyring: system.keyring,
    teams: [team],
    model,
    prices: PRICES_DEFAULT,
    logger: pino({ level: "silent" }),
    limits: SURGERY_LIMITS_DEFAULT,
    upkeepMs: 100,
  });
  onTestFinished(async () => {
    await surgeon.stop(0);
    model.close();
  });
  return system;
}

/** What the surgeon asks: for a repair, and what another reader reads. */
const OF_SURGEON: ReadonlySet<string> = new Set(["repair", "second_reading"]);

const repairedTo = (payload: unknown): string =>
  JSON.stringify({ verdict: "repaired", payload: JSON.stringify(payload), reason: "r", recipe: null });

describe("an answer of the medical team's model that is of no use", () => {
  it("goes to the ward, comes back healed, and the run goes on from there", async () => {
    const endpoint = await openEndpoint();
    const system = await openPractice(endpoint);
    const { question, ...rest } = GOOD;
    endpoint.behave = ({ schemaName }) => {
      if (schemaName === FOLLOW_UP) return JSON.stringify({ ...rest, asked: { of_patient: question } });
      return OF_SURGEON.has(schemaName) ? repairedTo(GOOD) : null;
    };
    const { runId } = await system.submit(HEART);
    const run = await system.until(runId, ["completed", "quarantined", "failed"]);
    expect(run).toMatchObject({ status: "completed", result: { question } });
    expect(endpoint.seen.filter(({ schemaName }) => schemaName === FOLLOW_UP)).toHaveLength(2);
  });

  it.each([
    ["a dose", "You have angina, could you take 500 mg of aspirin?", []],
    [
      "a diagnosis, by a second reader",
      "Das wird Angina sein, rauchen Sie?",
      [{ what: "diagnosis", quote: "Angina" }],
    ],
  ])(
    "waits for a person where it tells a patient %s, whatever the surgeon's model makes of it",
    async (_, question, says) => {
      const endpoint = await openEndpoint();
      const system = await openPractice(endpoint);
      const unsafe = { ...GOOD, question };
      endpoint.behave = ({ schemaName }) => {
        if (schemaName === FOLLOW_UP) return JSON.stringify(unsafe);
        if (schemaName === JUDGEMENTS) return JSON.stringify({ says });
        return OF_SURGEON.has(schemaName) ? repairedTo(unsafe) : null;
      };
      const { runId } = await system.submit(HEART);
      const run = await system.until(runId, ["completed", "quarantined", "failed"]);
      expect(run).toMatchObject({ status: "quarantined", result: null });
    },
  );

  it.each([
    ["an invented section", { section_id: "headache.md#99", sentence: "Ask whether the heart skips beats." }],
    [
      "words that do not stand there",
      { section_id: "palpitations.md#3", sentence: "Ask about coffee and love." },
    ],
  ])(
    "waits for a person where it cites %s, whatever the surgeon's model makes of it",
    async (_, citation) => {
      const endpoint = await openEndpoint();
      const system = await openPractice(endpoint);
      endpoint.behave = ({ schemaName }) => {
        if (schemaName === FOLLOW_UP) return JSON.stringify({ ...GOOD, citation });
        return OF_SURGEON.has(schemaName) ? repairedTo({ ...GOOD, citation }) : null;
      };
      const { runId } = await system.submit(HEART);
      const run = await system.until(runId, ["completed", "quarantined", "failed"]);
      expect(run).toMatchObject({ status: "quarantined", result: null });
    },
  );
});

interface Killable {
  readonly system: TestSystem;
  readonly work: AgentProcessOptions;
}

function openKillable(endpoint: ModelEndpoint, deskUrl: string): Killable {
  const team = teamFor(deskUrl);
  const system = createTestSystem(team);
  const work = {
    agents: [...team.agents.keys()],
    prefix: system.store.keys.prefix,
    keyring: system.keyring,
    modelUrl: endpoint.url,
    sandboxUrl: deskUrl,
  };
  return { system, work };
}

async function untilCompleted(system: TestSystem, runId: string): Promise<unknown> {
  await vi.waitFor(
    async () => expect(await system.store.runs.get(runId)).toMatchObject({ status: "completed" }),
    { timeout: 60_000, interval: 50 },
  );
  return (await system.store.runs.get(runId)).result;
}

describe("a worker of the medical team that is killed", () => {
  it("while the people on duty are being told has them told once", async () => {
    const keys: (string | undefined)[] = [];
    const desk = createServer((request, response) => {
      keys.push(request.headers["idempotency-key"]?.toString());
      request.resume();
      // The first one is heard, and never answered.
      if (keys.length > 1) response.end(JSON.stringify({ ticket_id: "T-1" }));
    });
    await new Promise<void>((resolve) => desk.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      desk.close();
      desk.closeAllConnections();
    });
    // A server that listens on a port has an address of this form.
    const { port } = desk.address() as AddressInfo;
    const { system, work } = openKillable(await openEndpoint(), `http://127.0.0.1:${port}`);
    const worker = spawnAgents(work);
    const { runId } = await system.submit({
      visit_id: "v-3",
      turns: [{ role: "patient", text: "My son is unconscious." }],
    });
    await vi.waitFor(() => expect(keys).toHaveLength(1), { timeout: 60_000, interval: 2 });
    worker.kill("SIGKILL");
    await whenGone(worker);
    spawnAgents(work);
    expect(await untilCompleted(system, runId)).toMatchObject({ status: "emergency", ticket_id: "T-1" });
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toBeTruthy();
  }, 150_000);
});

import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { createModelClient, PRICES_DEFAULT } from "#shared/model";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { createMedicalTeam } from "../services/agents/medical/create-team.ts";
import { samplePractice } from "../services/agents/medical/testing/sample-practice.ts";
import { startSurgeon } from "../services/surgeon/start-surgeon.ts";
import { SURGERY_LIMITS_DEFAULT } from "../services/surgeon/surgery.ts";
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
  const cites = (section_id: string, sentence: string) => ({ citation: { section_id, sentence } });

  it.each<[string, object, readonly object[]]>([
    ["tells a patient a dose", { question: "You have angina, could you take 500 mg of aspirin?" }, []],
    [
      "tells a patient a diagnosis, by a second reader",
      { question: "Das wird Angina sein, rauchen Sie?" },
      [{ what: "diagnosis", quote: "Angina" }],
    ],
    ["cites an invented section", cites("headache.md#99", "Ask whether the heart skips beats."), []],
    ["cites words that do not stand there", cites("palpitations.md#3", "Ask about coffee and love."), []],
  ])("waits for a person where it %s, whatever the surgeon's model makes of it", async (_, bad, says) => {
    const endpoint = await openEndpoint();
    const system = await openPractice(endpoint);
    const unsafe = { ...GOOD, ...bad };
    endpoint.behave = ({ schemaName }) => {
      if (schemaName === FOLLOW_UP) return JSON.stringify(unsafe);
      if (schemaName === JUDGEMENTS && says.length > 0) return JSON.stringify({ says });
      return OF_SURGEON.has(schemaName) ? repairedTo(unsafe) : null;
    };
    const { runId } = await system.submit(HEART);
    const run = await system.until(runId, ["completed", "quarantined", "failed"]);
    expect(run).toMatchObject({ status: "quarantined", result: null });
  });
});

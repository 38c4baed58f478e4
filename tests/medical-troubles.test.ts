import { describe, expect, it } from "vitest";
import { createTestSystem } from "#shared/testing";
import { createMedicalTeam } from "../services/agents/medical/team.ts";
import { samplePractice } from "../services/agents/medical/testing/sample-practice.ts";
import { openModel, PRICED } from "./support/open-model-system.ts";
import { operateOn } from "./support/operate-on.ts";

const FOLLOW_UP = "specialist_follow-up_3";
const JUDGEMENTS = "medical_judgements_1";
const HEART = { visit_id: "v-1", turns: [{ role: "patient", text: "My heart skips beats in the evening." }] };
const GOOD = {
  question: "Do you feel faint when your heart skips beats?",
  asks_about: "fainting",
  because: "heart skips beats",
  urgency: "soon",
};

/** Agents and a surgeon in this process, with models at the endpoint. */
async function openPractice() {
  const team = createMedicalTeam(samplePractice("http://127.0.0.1:9"));
  const { endpoint, model } = await openModel(team, { models: PRICED });
  const system = createTestSystem(team);
  await system.start({ model });
  operateOn(system, { model, upkeepMs: 100 });
  return { endpoint, system };
}

/** What the surgeon asks: for a repair, and what another reader reads. */
const OF_SURGEON: ReadonlySet<string> = new Set(["repair", "second_reading"]);

const repairedTo = (payload: unknown): string =>
  JSON.stringify({ verdict: "repaired", payload: JSON.stringify(payload), reason: "r", recipe: null });

describe("an answer of the medical team's model that is of no use", () => {
  it.each<[string, object, readonly object[]]>([
    ["tells a patient a dose", { question: "You have angina, could you take 500 mg of aspirin?" }, []],
    [
      "tells a patient a diagnosis, by a second reader",
      { question: "Das wird Angina sein, rauchen Sie?" },
      [{ what: "diagnosis", quote: "Angina" }],
    ],
  ])("waits for a person where it %s, whatever the surgeon's model makes of it", async (_, bad, says) => {
    const { endpoint, system } = await openPractice();
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

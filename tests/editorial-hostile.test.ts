import { describe, expect, it, onTestFinished } from "vitest";
import { createModelClient } from "#shared/model";
import { createTestSystem } from "#shared/testing";
import editorialTeam from "../services/agents/editorial/team.ts";
import { startModelEndpoint } from "./support/model-endpoint.ts";
import type { Behaviour } from "./support/model-endpoint.ts";

const BRIEF = "A red LED with a forward voltage of 2 V runs at 20 mA from a supply of 12 V.";
const LED = { kind: "led", id: "led-1", supply_volts: 12, forward_volts: 2, current_milliamps: 20 };
const PLAN = { summary: "A lamp.", requirements: [LED], questions: [], not_done: [] };
/** 510 ohms: 19.6 mA and 196 mW. */
const DESIGN = {
  kind: "led",
  requirement: LED,
  resistor_ohms: 510,
  current_milliamps: 19.6078,
  dissipated_milliwatts: 196.078,
  rating_milliwatts: 500,
};

/** What a run comes to where the model answers plan and design as given. */
async function runWith(plan: object, design: object, constraints: readonly string[] = []) {
  const endpoint = await startModelEndpoint([editorialTeam]);
  const behave: Behaviour = ({ schemaName }) =>
    JSON.stringify(schemaName.startsWith("general-project") ? plan : { designs: [design], questions: [] });
  endpoint.behave = behave;
  const models = { router: "gpt-5-nano", worker: "gpt-5-mini", surgeon: "gpt-5" };
  const model = createModelClient({ baseUrl: endpoint.url, apiKey: "none", models, timeoutMs: 10_000 });
  onTestFinished(async () => {
    model.close();
    await endpoint.close();
  });
  const system = createTestSystem(editorialTeam);
  await system.start({ model });
  const work = { kind: "project", title: "Lamp", brief: BRIEF, constraints };
  const { runId } = await system.submit({ work });
  return system.until(runId, ["completed", "failed", "in_ward", "quarantined"]);
}

describe("the editorial team with a model that is wrong", () => {
  it("takes a design that follows from its parts", async () => {
    expect(await runWith(PLAN, DESIGN)).toMatchObject({
      status: "completed",
      result: { status: "designed", designs: [{ resistor_ohms: 510 }], not_done: [] },
    });
  });

  it.each([
    ["a resistor of 1 ohm", { ...DESIGN, resistor_ohms: 1 }],
    [
      "a resistor that is too small, with numbers to match",
      {
        ...DESIGN,
        resistor_ohms: 470,
        current_milliamps: 21.2766,
        dissipated_milliwatts: 212.766,
      },
    ],
    [
      "a resistor that no shop has",
      { ...DESIGN, resistor_ohms: 500, current_milliamps: 20, dissipated_milliwatts: 200 },
    ],
    ["a rating without margin", { ...DESIGN, rating_milliwatts: 250 }],
    ["another requirement than was stated", { ...DESIGN, requirement: { ...LED, current_milliamps: 19.9 } }],
  ])("gives nobody %s", async (_, design) => {
    expect(await runWith(PLAN, design)).toMatchObject({ status: "in_ward", result: null });
  });

  it("asks where the plan has a value that the brief has not, and designs nothing", async () => {
    const made_up = { ...LED, current_milliamps: 25 };
    expect(await runWith({ ...PLAN, requirements: [made_up] }, DESIGN)).toMatchObject({
      status: "completed",
      result: { status: "needs_answers", designs: [] },
    });
  });

  it("asks where a good design breaks a constraint, and names constraints that no rule reads", async () => {
    expect(await runWith(PLAN, DESIGN, ["only resistors of 1/8 W", "cheap parts"])).toMatchObject({
      status: "completed",
      result: {
        status: "needs_answers",
        designs: [],
        questions: [{ about: "led-1" }],
        unchecked_constraints: ["cheap parts"],
      },
    });
  });
});

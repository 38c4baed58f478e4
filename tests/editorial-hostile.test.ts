import { describe, expect, it } from "vitest";
import editorialTeam from "../services/agents/editorial/team.ts";
import { openModelSystem } from "./support/open-model-system.ts";

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

/** Words of the brief for each value of the plan, as a second reading quotes them. */
const QUOTES = ["a supply of 12 V", "a forward voltage of 2 V", "runs at 20 mA"];
const confirm = (change: object = {}) => ({
  values: QUOTES.map((quote, index) => ({ value_id: `v${index + 1}`, is_stated: true, quote })),
  left_out: [],
  ...change,
});

interface Answers {
  readonly plan?: object;
  readonly design?: object;
  readonly confirmation?: object;
  readonly brief?: string;
}

/** Outcome of a run where the model answers plan, confirmation and design as given. */
async function runWith(
  { plan = PLAN, design = DESIGN, confirmation = confirm(), brief = BRIEF }: Answers,
  constraints: readonly string[] = [],
) {
  const answers = [
    ["general-project_plan", plan],
    ["general-project_confirmation", confirmation],
    ["electronics_design", { designs: [design], questions: [] }],
  ] as const;
  const { system, endpoint } = await openModelSystem(editorialTeam);
  endpoint.behave = ({ schemaName }) =>
    JSON.stringify(answers.find(([name]) => schemaName.startsWith(name))?.[1] ?? {});
  const { runId } = await system.submit({ work: { kind: "project", title: "Lamp", brief, constraints } });
  return system.until(runId, ["completed", "failed", "in_ward", "quarantined"]);
}

describe("the editorial team with a model that is wrong", () => {
  it.each([
    ["a resistor of 1 ohm", { ...DESIGN, resistor_ohms: 1 }],
    ["another requirement than was stated", { ...DESIGN, requirement: { ...LED, current_milliamps: 19.9 } }],
  ])("gives nobody %s", async (_, design) => {
    expect(await runWith({ design })).toMatchObject({ status: "in_ward", result: null });
  });

  it.each([
    [
      "a value that no words of the brief state",
      confirm({ values: confirm().values.with(2, { value_id: "v3", is_stated: false, quote: "" }) }),
      /does not say which current milliamps/,
    ],
    [
      "a circuit that the plan leaves out",
      confirm({ left_out: ["a supply of 12 V"] }),
      /Which circuit is this for/,
    ],
  ])("asks where a second reading finds %s, and designs nothing", async (_, confirmation, wanted) => {
    const { result } = await runWith({ confirmation });
    expect(result).toMatchObject({ status: "needs_answers", designs: [] });
    expect(JSON.stringify(result)).toMatch(wanted);
  });

  it.each([
    ["made-up words of a second reading", { confirmation: confirm({ left_out: ["A bell rings."] }) }],
    [
      "other work that nobody asked for",
      { plan: { ...PLAN, not_done: [{ kind: "tax", words: "my taxes" }] } },
    ],
  ])("gives nobody %s", async (_, answers) => {
    expect(await runWith(answers)).toMatchObject({ status: "in_ward", result: null });
  });

  it.each([
    [
      "digits in another unit",
      "LED, Flussspannung 2000 mV, 0,02 A, Versorgung 12 Volt.",
      ["Versorgung 12 Volt", "2000 mV", "0,02 A"],
    ],
    [
      "words in place of digits",
      "Twelve volts feed a red LED of two volts and twenty milliamps.",
      ["Twelve volts", "two volts", "twenty milliamps"],
    ],
    [
      "a language that nobody listed",
      "LED-lampa: 2 V framspänning, tjugo milliampere, tolv volts matning.",
      ["tolv volts", "2 V framspänning", "tjugo milliampere"],
    ],
  ])("designs what a brief states in %s", async (_, brief, quotes) => {
    const values = quotes.map((quote, index) => ({ value_id: `v${index + 1}`, is_stated: true, quote }));
    expect(await runWith({ brief, confirmation: confirm({ values }) })).toMatchObject({
      result: { status: "designed" },
    });
  });

  it.each([
    ["of one per cent", { resistor_ohms: 511, current_milliamps: 19.569, dissipated_milliwatts: 195.69 }],
    [
      "of the next value up",
      { resistor_ohms: 560, current_milliamps: 17.857, dissipated_milliwatts: 178.57 },
    ],
    ["rated higher than it needs", { rating_milliwatts: 1000 }],
  ])("takes a right resistor %s", async (_, change) => {
    expect(await runWith({ design: { ...DESIGN, ...change } }, ["resistors of 1/4 W"])).toMatchObject({
      result: { status: "designed", unchecked_constraints: ["resistors of 1/4 W"] },
    });
  });

  it("designs nothing above 60 V, whatever the model says", async () => {
    const plan = { ...PLAN, requirements: [{ ...LED, supply_volts: 230 }] };
    expect(await runWith({ plan })).toMatchObject({ result: { status: "needs_answers", designs: [] } });
  });
});

import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { createModelClient, PRICES_DEFAULT } from "#shared/model";
import { createTestSystem } from "#shared/testing";
import { createResearchTeam } from "../services/agents/research/team.ts";
import { openAsks, sampleLibrary, sampleOf } from "../services/agents/research/testing/open-team.ts";
import type { OpenTeam } from "../services/agents/research/testing/open-team.ts";
import { startSurgeon } from "../services/surgeon/start-surgeon.ts";
import { SURGERY_LIMITS_DEFAULT } from "../services/surgeon/surgery.ts";
import { complete, startModelEndpoint } from "./support/model-endpoint.ts";
import type { CompletionRequest, ModelEndpoint } from "./support/model-endpoint.ts";

/** Answers of the research team's models that are wrong in form, and in what they claim to quote. */

const COST = sampleOf("barrier-cost").text;
const QUESTION = "What did the tidal barrier cost to build?";

async function open(): Promise<OpenTeam & { readonly endpoint: ModelEndpoint }> {
  const team = createResearchTeam({ library: sampleLibrary() });
  const endpoint = await startModelEndpoint([team]);
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
    await endpoint.close();
  });
  return { ...openAsks(system), endpoint };
}

const DECISION = "chat_decision_1";
const LOOKUP = "research_lookup_3";
const COURSE = "research_course_2";
const READING = "researcher_reading_1";
/** What the surgeon asks: for a repair, and what another reader reads. */
const OF_SURGEON: ReadonlySet<string> = new Set(["repair", "second_reading"]);

const countOf = (endpoint: ModelEndpoint, name: string): number =>
  endpoint.seen.filter(({ schemaName }) => schemaName === name).length;

describe("a bad answer of the research team's model", () => {
  it("goes to the ward, comes back healed, and the run goes on from there", async () => {
    const { ask, endpoint } = await open();
    const bad = { decision: { kind: "quick_lookup", question: QUESTION } };
    const healed = { decision: { ...bad.decision, because: "Something is to be looked up." } };
    endpoint.behave = ({ schemaName }) => {
      if (schemaName === DECISION) return JSON.stringify(bad);
      if (OF_SURGEON.has(schemaName))
        return JSON.stringify({
          verdict: "repaired",
          payload: JSON.stringify(healed),
          reason: "r",
          recipe: null,
        });
      return null;
    };
    expect(await ask({ text: COST })).toMatchObject({ kind: "lookup", status: "answered", turn: 1 });
    expect(countOf(endpoint, DECISION)).toBe(2);
    expect(countOf(endpoint, LOOKUP)).toBe(1);
    expect(await ask({ text: "Thank you!" })).toMatchObject({ answered_by: "research", turn: 2 });
  });
});

/** A model that searches for something else, and quotes what it finds first under a wrong name. */
function searchAndMisname(endpoint: ModelEndpoint): void {
  const found = (body: CompletionRequest) =>
    body.messages.flatMap(({ role, content }) => (role === "tool" ? [JSON.parse(content).output] : []));
  let [misnamed, repaired] = ["", ""];
  endpoint.behave = ({ schemaName, body }) => {
    if (OF_SURGEON.has(schemaName))
      return JSON.stringify({ verdict: "repaired", payload: repaired, reason: "r", recipe: null });
    const question = "How heavy is each gate of the Wend barrier?";
    if (schemaName === DECISION)
      return JSON.stringify({ decision: { kind: "quick_lookup", question, because: "It is a question." } });
    if (schemaName === COURSE)
      return JSON.stringify({ course: { kind: "investigate", goal: question, questions: [question] } });
    if (schemaName !== READING) return null;
    if (body.tools === undefined) return misnamed;
    const [passage] = found(body)[0]?.passages ?? [];
    const query = JSON.stringify({ query: "passengers of tram line 4" });
    const calls = [{ id: "c1", type: "function", function: { name: "search_library", arguments: query } }];
    if (passage === undefined)
      return (response) => complete(response, { text: null, model: body.model, calls });
    const quote = /^.*?[.](?= |$)/.exec(passage.text)?.[0] ?? "";
    const reading = { statement: quote, quote };
    repaired = JSON.stringify({ readings: [{ ...reading, passage_id: passage.passage_id }] });
    misnamed = JSON.stringify({ readings: [{ ...reading, source: passage.passage_id }] });
    return misnamed;
  };
}

it("lets the surgeon's repair quote a passage that the model found itself", async () => {
  const { submit, system, endpoint } = await open();
  searchAndMisname(endpoint);
  const runId = await submit({
    text: "Please write me a report: how heavy is each gate of the Wend barrier?",
  });
  const run = await system.until(runId, ["quarantined", "completed", "failed"]);
  expect(run.status).toBe("completed");
  expect(countOf(endpoint, "repair")).toBeGreaterThanOrEqual(1);
});

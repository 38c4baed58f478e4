import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { createModelClient, PRICES_DEFAULT } from "#shared/model";
import { createTestSystem } from "#shared/testing";
import { createResearchTeam } from "../services/agents/research/create-team.ts";
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
const VERDICTS = "research_verdicts_1";
/** What the surgeon asks: for a repair, and what another reader reads. */
const OF_SURGEON: ReadonlySet<string> = new Set(["repair", "second_reading"]);

const countOf = (endpoint: ModelEndpoint, name: string): number =>
  endpoint.seen.filter(({ schemaName }) => schemaName === name).length;

/** A model's answer to the one question that was asked. */
const lookupOf = (sentence: object): string =>
  JSON.stringify({
    parts: [{ question_id: "q1", sentences: [sentence], missing: "", denied: null, disagree: false }],
  });

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

  it("that invents a quotation is asked once more, and the invented one reaches nobody", async () => {
    const { ask, endpoint } = await open();
    endpoint.behave = ({ schemaName, body }) => {
      if (schemaName !== LOOKUP || countOf(endpoint, LOOKUP) > 1) return null;
      const { parts } = JSON.parse(body.messages.find(({ role }) => role === "user")?.content ?? "{}") as {
        parts: { passages: { passage_id: string }[] }[];
      };
      const quote = "The barrier cost 12 million euros to build.";
      return lookupOf({ statement: quote, quote, passage_id: parts[0]?.passages[0]?.passage_id });
    };
    const result = await ask({ text: COST });
    expect(countOf(endpoint, LOOKUP)).toBe(2);
    expect(result.answer).not.toContain("12 million");
    expect(result.answer).toContain("47.9 million");
  });

  it("that invents quotations without end leaves the run to the ward, not to the reader", async () => {
    const { submit, system, endpoint } = await open();
    const quote = "The barrier cost 12 million euros to build.";
    const lie = lookupOf({ statement: quote, quote, passage_id: "barrier-audit#2" });
    endpoint.behave = ({ schemaName }) => {
      if (schemaName === LOOKUP) return lie;
      if (OF_SURGEON.has(schemaName))
        return JSON.stringify({ verdict: "repaired", payload: lie, reason: "r", recipe: null });
      return null;
    };
    const runId = await submit({ text: COST });
    const run = await system.until(runId, ["quarantined", "completed", "failed"]);
    expect(run.status).toBe("quarantined");
  });

  it("is left out where a second reading does not bear it out, and the answer says so", async () => {
    const { ask, endpoint } = await open();
    endpoint.behave = ({ schemaName, body }) => {
      if (schemaName !== VERDICTS) return null;
      const { pairs } = JSON.parse(body.messages.find(({ role }) => role === "user")?.content ?? "{}") as {
        pairs: { pair_id: string }[];
      };
      const verdicts = pairs.map(({ pair_id }) => ({ pair_id, verdict: "neither", quote: "" }));
      return JSON.stringify({ verdicts });
    };
    const { status, answer, citations } = await ask({ text: COST });
    expect([status, citations]).toEqual(["not_found", []]);
    expect(answer).not.toContain("million");
    expect(answer).toContain("a second reading of the sources did not bear out");
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

it("shows the research model what was looked up, and no thanks or comments, to point back to", async () => {
  const { ask, endpoint } = await open();
  await ask({ text: COST });
  await ask({ text: "Thank you so much!" });
  await ask(sampleOf("barrier-opening"));
  const [last] = endpoint.seen.filter(({ schemaName }) => schemaName === COURSE).slice(-1);
  const content = last?.body.messages.find(({ role }) => role === "user")?.content ?? "";
  expect(content).toContain(QUESTION);
  expect(content).not.toContain("Thank you");
});

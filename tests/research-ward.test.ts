import { expect, it } from "vitest";
import { startTestSystem } from "#shared/testing";
import { createResearchTeam } from "../services/agents/research/team.ts";
import { openAsks, sampleLibrary } from "../services/agents/research/testing/open-team.ts";
import type { OpenTeam } from "../services/agents/research/testing/open-team.ts";
import { complete } from "./support/model-endpoint.ts";
import type { CompletionRequest, ModelEndpoint } from "./support/model-endpoint.ts";
import { openModel, PRICED } from "./support/open-model-system.ts";
import { operateOn } from "./support/operate-on.ts";

/** Answers of the research team's models that are wrong in form, and in what they claim to quote. */

async function open(): Promise<OpenTeam & { readonly endpoint: ModelEndpoint }> {
  const team = createResearchTeam({ library: sampleLibrary() });
  const { endpoint, model } = await openModel(team, { models: PRICED });
  const system = await startTestSystem(team, { model });
  operateOn(system, { model, upkeepMs: 100 });
  return { ...openAsks(system), endpoint };
}

const DECISION = "chat_decision_1";
const COURSE = "research_course_2";
const READING = "researcher_reading_1";
/** The surgeon's questions: for a repair, and for another reading. */
const OF_SURGEON: ReadonlySet<string> = new Set(["repair", "second_reading"]);

const countOf = (endpoint: ModelEndpoint, name: string): number =>
  endpoint.seen.filter(({ schemaName }) => schemaName === name).length;

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

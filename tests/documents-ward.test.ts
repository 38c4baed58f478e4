import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { PRICES_DEFAULT } from "#shared/model";
import type { ModelClient } from "#shared/model";
import { createTestSystem } from "#shared/testing";
import { findCases } from "#shared/ward";
import { decide } from "#shared/ward/decisions";
import { createDocumentsTeam } from "../services/agents/documents/create-team.ts";
import { openLibrary } from "../services/agents/documents/testing/open-library.ts";
import { startSurgeon } from "../services/surgeon/start-surgeon.ts";
import { SURGERY_LIMITS_DEFAULT } from "../services/surgeon/surgery.ts";
import { openRehearsal } from "./support/rehearsal-model.ts";

/** A model that says other things about pictures than it is asked for, twice: first aid and a re-ask do not help. */
function spoiling(model: ModelClient) {
  const sound: string[] = [];
  const ask: ModelClient["ask"] = async (call) => {
    const answer = await model.ask(call);
    if (call.step !== "tag") return answer;
    sound.push(answer.text);
    const { description, ...others } = JSON.parse(answer.text) as { description: string };
    return { ...answer, text: JSON.stringify({ ...others, what_one_sees: description }) };
  };
  return { model: { ...model, ask }, sound };
}

it("sends an answer of no use to the ward, and goes on with what a person made of it, paying for neither twice", async () => {
  const library = openLibrary();
  const documents = createDocumentsTeam(library);
  const rehearsal = (await openRehearsal(documents)).model;
  const { model, sound } = spoiling(rehearsal);
  const system = createTestSystem(documents);
  await system.start({ model });
  const surgeon = startSurgeon({
    store: system.store,
    keyring: system.keyring,
    teams: [documents],
    model: rehearsal,
    prices: PRICES_DEFAULT,
    logger: pino({ level: "silent" }),
    limits: SURGERY_LIMITS_DEFAULT,
    upkeepMs: 100,
  });
  onTestFinished(() => surgeon.stop(0));
  const { runId } = await system.submit({
    file_references: [await library.store("wood.jpg")],
    question: null,
  });
  // A member that the contract does not know may hold what it marks as sensitive: no model moves it.
  await system.until(runId, ["quarantined"]);
  const [waiting] = (await findCases(system.store, { filter: {}, limit: 5 })).cases;
  await decide(system, {
    case_id: waiting?.case_id ?? "",
    decision: "release",
    by: "ada",
    why: "moved the description to its place",
    payload: sound[0] ?? "",
  });
  expect((await system.until(runId, ["completed", "failed"])).status).toBe("completed");
  const { result } = await system.store.runs.get(runId);
  expect(result).toMatchObject({ kind: "picture", tags: expect.arrayContaining(["photo"]) });
  // Answers that came are what is paid; on a slow machine a call may be given up before its answer.
  expect(sound).toHaveLength(2);
  const events = await system.store.runs.events(runId, { from: 0, limit: 100 });
  expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(["quarantined", "released"]));
  // The healed description is kept like any other: the next sender of the same picture asks nobody.
  const again = await system.submit({ file_references: [await library.store("wood.jpg")], question: null });
  expect((await system.until(again.runId)).result).toEqual(result);
  expect(sound).toHaveLength(2);
}, 120_000);

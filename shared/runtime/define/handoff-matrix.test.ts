import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { startTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { agent } from "./define-agent.ts";
import { team } from "./define-team.ts";
import { TeamDefinitionError } from "../errors.ts";
import { HandoffRefusedError, checkHandoffType } from "../deliver/check-handoff.ts";
import { drawHandoffs, listHandoffs } from "./team-edges.ts";

const Note = contract("hm.note@1", z.object({ say: z.string() }));

const heard: string[] = [];

const desk = agent("hm-desk@1", {
  accepts: Note,
  to: { "hm-writer": Note },
  deliveriesMax: 1,
  handle: (note, ctx) => ctx.handoff("hm-writer", note, note.say === "" ? {} : { handoffType: note.say }),
});

const writer = agent("hm-writer@2", {
  accepts: Note,
  handle: (_, ctx) => {
    heard.push(ctx.envelope.meta.handoff_type);
    return ctx.complete(ctx.envelope.meta.handoff_type);
  },
});

const press = team("hm-press", [desk, writer], {
  handoffTypes: { "hm-desk>hm-writer": ["draft_request", "correction"] },
});

const MATRIX = [
  ["gateway", "hm-desk", "task_delegation"],
  ["gateway", "hm-writer", "draft_request"],
  ["gateway", "hm-writer", "correction"],
  ["hm-desk", "hm-writer", "draft_request"],
  ["hm-desk", "hm-writer", "correction"],
];

it("lists who may send what to whom, and draws it", () => {
  const rows = listHandoffs([press]);
  expect(rows.map(({ from, to, handoff_type }) => [from, to, handoff_type])).toEqual(MATRIX);
  const drawn = drawHandoffs(rows).split("\n");
  expect(drawn[0]).toBe("flowchart LR");
  expect(drawn).toContain('  h1["hm-desk"]');
  expect(drawn).toContain('  h1 -->|"correction: hm.note@1"| h2');
  expect(drawn.filter((line) => line.includes("-->")).length).toBe(MATRIX.length);
});

it.each([
  [{ "hm-desk>nobody": ["draft"] }, "is not one of its transitions"],
  [{ "hm-desk>hm-writer": [] }, "has no type of handoff"],
  [{ "hm-desk>hm-writer": ["Not a word"] }, "is no word"],
])("refuses a team that declares %j", (handoffTypes, problem) => {
  expect(() => team("hm-press", [desk, writer], { handoffTypes })).toThrow(TeamDefinitionError);
  expect(() => team("hm-press", [desk, writer], { handoffTypes })).toThrow(problem);
});

it("takes no type that its sender may not send, though the message is genuine: a person decides", async () => {
  const system = await startTestSystem(press);
  heard.length = 0;
  const { runId } = await system.submit({ say: "x" }, { to: "hm-writer@2", handoffType: "task_delegation" });
  await system.until(runId, ["quarantined"]);
  expect(await failuresOf(system, runId)).toContainEqual(["HANDOFF_REFUSED", "unsafe"]);
  expect(heard).toEqual([]);
});

async function failuresOf(system: TestSystem, runId: string): Promise<unknown[]> {
  const events = await system.store.runs.events(runId, { from: 0, limit: 100 });
  return events.map(({ detail }) => [detail["code"], detail["class"]]);
}

it("takes a row of the matrix away with the edge, whatever keys are left", () => {
  const before = press;
  const after = team("hm-press", [
    agent("hm-desk@1", { accepts: Note, handle: (_, ctx) => ctx.complete(1) }),
    writer,
  ]);
  const meta = metaOf("hm-desk@1", "draft_request");
  expect(() => checkHandoffType(before, "hm-writer", meta)).not.toThrow();
  expect(() => checkHandoffType(after, "hm-writer", meta)).toThrow(HandoffRefusedError);
});

function metaOf(source_agent: string, handoff_type: string) {
  // Of an envelope's meta only these two are asked.
  return { source_agent, handoff_type } as Parameters<typeof checkHandoffType>[2];
}

it("counts how the handoffs of each pair ended, without asking Redis on a hop", async () => {
  const system = await startTestSystem(press, { ratesEveryMs: 20 });
  const runs = await Promise.all(["", "", "correction"].map((say) => system.submit({ say })));
  await Promise.all(runs.map(({ runId }) => system.until(runId)));
  await system.run({ say: "x" }, { to: "hm-writer@2", handoffType: "task_delegation" }, ["quarantined"]);
  const counted = async (): Promise<unknown[]> =>
    (await system.store.rates.handoffs("hour"))
      .map(({ from, to, handoff_type, done, failed }) => `${from}>${to} ${handoff_type} ${done}:${failed}`)
      .toSorted();
  await expect
    .poll(counted)
    .toEqual([
      "gateway>hm-desk task_delegation 3:0",
      "gateway>hm-writer task_delegation 0:1",
      "hm-desk>hm-writer correction 1:0",
      "hm-desk>hm-writer draft_request 2:0",
    ]);
});

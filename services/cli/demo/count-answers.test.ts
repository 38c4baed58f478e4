import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { countAnswers, judgeAnswer, readLabels } from "./count-answers.ts";
import { readSamples } from "./read-samples.ts";
import type { Sample } from "./read-samples.ts";

const Note = contract("note@1", z.object({ text: z.string() }));
const desk = agent("desk@1", { accepts: Note, handle: (note, ctx) => ctx.complete(note) });
const notes = team("notes", [desk], { cannotTell: { "/status": ["for_a_person", "open"] } });

const sampleOf = (id: string, input: unknown): Sample => ({
  kind: "task",
  id,
  team: "notes",
  input,
  user: "u",
  folder: ".",
  locale: null,
});
const labels = new Map([
  ["notes/a", { input: { text: "a" }, expect: new Map([["/kind", "letter"]]) }],
  ["notes/p", { input: { text: "p" }, expect: new Map([["/status", "for_a_person"]]) }],
]);

describe("what a completed run of the demo counts as", () => {
  it.each([
    ["right", "a", { text: "a" }, { kind: "letter" }],
    ["wrong", "a", { text: "a" }, { kind: "invoice" }],
    ["cannot_tell", "a", { text: "a" }, { kind: "invoice", status: "open" }],
    // Right, and no answer all the same: it must not flatter.
    ["cannot_tell", "p", { text: "p" }, { status: "for_a_person" }],
    ["unchecked", "b", { text: "b" }, { kind: "letter" }],
    // The label belongs to another input of that id.
    ["unchecked", "a", { text: "changed" }, { kind: "invoice" }],
    ["cannot_tell", "b", { text: "b" }, { status: "open" }],
  ] as const)("is %s", (verdict, id, input, result) => {
    expect(judgeAnswer({ sample: sampleOf(id, input), result }, { team: notes, labels })).toBe(verdict);
  });

  it("is added up with nothing left out", () => {
    expect(countAnswers(["right", "wrong", "right", "cannot_tell", "unchecked"])).toEqual({
      right: 2,
      cannot_tell: 1,
      wrong: 1,
      unchecked: 1,
    });
  });
});

it("has a way to say that it cannot tell for every team, and labels for samples of the teams", async () => {
  const teams = await loadTeams("services/agents");
  for (const { name, options } of teams)
    expect(Object.keys(options.cannotTell ?? {}).length, name).toBeGreaterThan(0);
  const known = readLabels("services/agents", teams);
  const labelled = readSamples("services/agents", teams).filter(({ team: of, id }) =>
    known.has(`${of}/${id}`),
  );
  expect(labelled.length).toBeGreaterThan(20);
});

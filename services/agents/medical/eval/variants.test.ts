import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ModelClient } from "#shared/model";
import { loadVariants } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import { openRehearsal } from "../../../../tests/support/rehearsal-model.ts";
import { Visit } from "../contracts.ts";
import variants from "./variants.ts";

const CASES = readFileSync(new URL("cases.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));
const LONG = CASES.find(({ id }) => id === "long-runner").input;

/** Runs the variant on the visit, and gives its result and what the specialist was shown. */
async function ask(name: string, visit: unknown) {
  const { team } = variants.find((one) => one.name === name) ?? {};
  if (team === undefined) throw new RangeError(name);
  const { model } = await openRehearsal(team);
  const shown: string[] = [];
  const noting: ModelClient = {
    ...model,
    ask: (call) => {
      if (call.step === "follow-up") shown.push(call.input);
      return model.ask(call);
    },
  };
  const system = createTestSystem(team);
  await system.start({ model: noting });
  const { runId } = await system.submit(visit);
  return { result: (await system.until(runId)).result, shown: shown.join("") };
}

describe("the labelled set of the medical team", () => {
  it("has more than 150 visits that intake accepts, each with an id of its own", () => {
    expect(CASES.length).toBeGreaterThan(150);
    for (const { input } of CASES) Visit.schema.parse(input);
    expect(new Set(CASES.map(({ id }) => id)).size).toBe(CASES.length);
  });
});

describe("the variants of the medical team", () => {
  it("are found beside the team", async () => {
    expect((await loadVariants("services/agents", "medical")).map(({ name }) => name)).toEqual([
      "full-history",
    ]);
  });

  it("show the specialist every turn", async () => {
    const { result, shown } = await ask("full-history", LONG);
    expect(result).toMatchObject({ status: "follow_up", specialty: "cardiology" });
    expect(shown).toContain("lighthouse and the two cats");
  });

  it("ask no model of an emergency", async () => {
    const turns = [{ role: "patient", text: "My son is unconscious." }];
    expect(await ask("full-history", { visit_id: "v-1", turns })).toMatchObject({
      result: { status: "emergency" },
      shown: "",
    });
  });
});

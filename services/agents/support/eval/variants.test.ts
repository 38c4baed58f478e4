import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { startTestSystem } from "#shared/testing";
import { loadVariants } from "#shared/runtime";
import { openRehearsal } from "../../../../tests/support/rehearsal-model.ts";
import { CATEGORIES } from "../contracts.ts";
import supportTeam from "../team.ts";
import variants from "./variants.ts";

interface Case {
  readonly id: string;
  readonly input: unknown;
  readonly expect: Readonly<Record<string, unknown>>;
}

const CASES = readFileSync(new URL("cases.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line): Case => JSON.parse(line));

const caseOf = (id: string): unknown => CASES.find((one) => one.id === id)?.input;

describe("the labelled set", () => {
  it("is of every category and severity", () => {
    const labels = (pointer: string) =>
      new Set(CASES.flatMap(({ expect: { [pointer]: value } }) => value ?? []));
    expect(labels("/decided/category")).toEqual(
      new Set(CATEGORIES.filter((category) => category !== "nothing-asked")),
    );
    expect(labels("/decided/severity")).toEqual(new Set(["low", "medium", "high", "critical"]));
    expect(labels("/decided/qualified")).toEqual(new Set([true, false]));
  });
});

describe("the variants", () => {
  it("are found beside the team, each with agents of its own names", async () => {
    const loaded = await loadVariants("services/agents", "support");
    expect(loaded.map(({ name }) => name)).toEqual(variants.map(({ name }) => name));
    const names = [supportTeam, ...loaded.map(({ team }) => team)].flatMap(({ agents }) => [
      ...agents.keys(),
    ]);
    expect(new Set(names).size).toBe(names.length);
  });

  it("a single call gives what no model has read to a person", async () => {
    const run = await openVariant("single-call");
    expect(await run("refund-part")).toMatchObject({ decided: { category: "escalation" } });
  });

  it.each([1, 2, 3, 5])(
    "an ensemble of %i decides one thing by majority, ties as the team decides them",
    async (n) => {
      expect(await (await openVariant(`severity-by-${n}`))("tech-icon")).toEqual({
        decided: { severity: "medium" },
      });
    },
  );

  it("the team's own severity is the majority of three recorded votes, and stands in the result", async () => {
    const system = await startTestSystem(supportTeam, { model: (await openRehearsal(supportTeam)).model });
    const { runId } = await system.submit({
      from: "kim@mail.example",
      subject: "Icon",
      body: "The icon shows an error in its colour.",
    });
    expect((await system.until(runId)).result).toMatchObject({
      decided: { category: "technical", severity: "medium" },
    });
    const events = await system.store.runs.events(runId, { from: 0, limit: 50 });
    const weighed = events.find(({ agent, type }) => agent === "technical" && type === "handed_off");
    // Three votes and the steps to try.
    expect(weighed?.detail).toMatchObject({ model_calls: 4, model: "rehearsal-worker" });
  });
});

async function openVariant(name: string): Promise<(id: string) => Promise<unknown>> {
  const variant = variants.find((one) => one.name === name);
  if (variant === undefined) throw new RangeError(name);
  const system = await startTestSystem(variant.team, { model: (await openRehearsal(variant.team)).model });
  return async (id) => {
    return (await system.run(caseOf(id), {}, ["completed", "failed", "in_ward", "quarantined"])).result;
  };
}

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { StoredRecipe } from "#shared/store/cases";
import { temporaryFolder } from "#shared/testing";
import { openSurgeonAtWork, openSurgeonTestSystem, readGerman } from "../testing/surgeon-test-system.ts";
import type { SurgeonTestSystem } from "../testing/surgeon-test-system.ts";
import { loadRecipes } from "./load-recipes.ts";

const RENAME = { version: 1, operations: [{ op: "rename", path: "/bestellung", to: "order_id" }] };

function teamsFolder(recipe: unknown): string {
  const root = temporaryFolder();
  mkdirSync(join(root, "help", "recipes"), { recursive: true });
  writeFileSync(join(root, "help", "recipes", "rename.json"), JSON.stringify(recipe));
  return root;
}

describe("recipes", () => {
  it("heals a whole fingerprint with the recipe that its team ships, without a model", async () => {
    const system = await openSurgeonTestSystem();

    await system.start();
    const { runId } = await system.submit({ bestellung: "A-1234", seats: 3 });
    const one = await system.untilCase(runId, (found) => found.status === "admitted");
    const folder = teamsFolder({ fingerprint: one.fingerprint, recipe: RENAME });
    expect(await loadRecipes(system.recipes, folder)).toBe(1);
    expect(await loadRecipes(system.recipes, folder)).toBe(1);
    expect((await system.recipes.list()).length).toBe(1);
    system.startSurgeon();
    expect((await system.until(runId)).status).toBe("completed");
    expect(system.handled).toEqual([{ order_id: "A-1234", seats: 3 }]);
    const healed = await system.untilCase(runId, (found) => found.status === "discharged");
    expect(healed.history[0]?.attempts).toMatchObject([{ procedure: "recipe", outcome: "healed" }]);
    expect(system.endpoint.questions).toEqual([]);
  });

  it("applies nothing when two trusted recipes disagree", async () => {
    const system = await openSurgeonTestSystem();

    await system.start();
    const { runId } = await system.submit({ bestellung: "A-1234", konto: "A-9999", seats: 3 });
    const { fingerprint } = await system.untilCase(runId, (found) => found.status === "admitted");
    for (const path of ["/bestellung", "/konto"]) {
      const recipe = { version: 1, operations: [{ op: "rename", path, to: "order_id" }] };
      const kept = { recipe_id: path, fingerprint, state: "trusted" as const, recipe, by: "ada", at: "" };
      expect(await system.recipes.put(kept)).toBe(true);
    }
    system.startSurgeon();
    const left = await system.untilCase(runId, (found) => found.status === "quarantined");
    expect(left.history[0]?.attempts[0]).toMatchObject({ procedure: "recipe", outcome: "refused" });
    expect(left.history[0]?.attempts[0]?.reason).toContain("disagree");
  });

  it("refuses to start with a file that is no recipe, and names it", async () => {
    const { recipes } = await openSurgeonTestSystem();
    const folder = teamsFolder({
      fingerprint: "x",
      recipe: { version: 1, operations: [{ op: "run", code: "1" }] },
    });
    await expect(loadRecipes(recipes, folder)).rejects.toMatchObject({
      code: "RECIPE_FILE",
      message: expect.stringContaining("rename.json"),
    });
  });
});

/** One producer is enough to trust a recipe: these tests have no other. */
const ALONE = { recipeProducers: 1 };

async function submitMany(system: SurgeonTestSystem, count: number, from = 1000): Promise<string[]> {
  const numbers = Array.from({ length: count }, (_, n) => from + n);
  const runs = await Promise.all(
    numbers.map((n) => system.submit({ bestellung: `A-${n}`, seats: (n % 7) + 1 })),
  );
  return runs.map(({ runId }) => runId);
}

async function untilHeld(system: SurgeonTestSystem, count: number): Promise<void> {
  const { cases } = system.store;
  await expect.poll(async () => (await cases.counts()).admitted).toBe(count);
}

async function soleRecipe(system: SurgeonTestSystem): Promise<StoredRecipe> {
  const recipes = await system.recipes.list();
  expect(recipes.length).toBe(1);
  return recipes[0] as StoredRecipe;
}

describe("learning", () => {
  it("heals a whole group by one question, with proof for each, and the next wave by none", async () => {
    const system = await openSurgeonTestSystem({ limits: ALONE });
    const { endpoint, handled } = system;
    endpoint.answer = readGerman;
    endpoint.delayMs = 300;
    await system.start();
    const first = await submitMany(system, 200);
    await untilHeld(system, 200);
    // Two processes, as far as Redis can tell.
    system.startSurgeon();
    system.startSurgeon();
    for (const runId of first) expect((await system.until(runId)).status).toBe("completed");
    expect(endpoint.questions.length).toBe(1);
    const second = await submitMany(system, 100, 2000);
    for (const runId of second) expect((await system.until(runId)).status).toBe("completed");
    expect(endpoint.questions.length).toBe(1);
    expect(handled.length).toBe(300);
    expect(await soleRecipe(system)).toMatchObject({
      state: "trusted",
      recipe: RENAME,
      failures: 0,
      healed: 299,
    });
    expect(await system.store.cases.counts()).toMatchObject({ admitted: 0, in_surgery: 0, discharged: 300 });
    expect(await system.store.runs.counts()).toMatchObject({ submitted: 300, completed: 300 });
    const { cases } = await system.store.cases.list({ kind: "all" }, { limit: 300 });
    for (const { case_id } of cases) {
      const stored = await system.stored(case_id);
      const [healed] = JSON.parse(stored.fields["operation:1"] ?? "{}").attempts.slice(-1);
      expect(healed).toMatchObject({ outcome: "healed", objections: [] });
      expect(healed.provenance.length).toBe(2);
    }
    const [group] = await system.store.cases.groups.list({ offset: 0, limit: 5 });
    expect(group).toMatchObject({ count: 300, open: 0, sent_on: 300, replays: 0 });
    expect(group?.cost).toBeCloseTo(
      cases.reduce((sum, one) => sum + Number(one.fields["cost_micro"] ?? 0), 0) / 1e6,
      6,
    );
  });

  it("spends no more on a group than it may, and leaves the rest to people", async () => {
    const system = await openSurgeonTestSystem({
      limits: { ...ALONE, surgeonCostPerGroup: 0.05, callsPerGroup: 2 },
    });
    const { endpoint, surgery } = system;
    await system.start();
    const runs = await submitMany(system, 30);
    await untilHeld(system, 30);
    system.startSurgeon();
    for (const runId of runs) expect((await system.until(runId, ["quarantined"])).status).toBe("quarantined");
    const [group] = await system.store.cases.groups.list({ offset: 0, limit: 5 });
    expect(group?.cost).toBeGreaterThan(0);
    expect(group?.cost).toBeLessThanOrEqual(0.05);
    expect(endpoint.questions.length).toBeLessThan(30);
    expect(await system.store.cases.costs.spentThisHour()).toBeLessThanOrEqual(
      surgery().limits.surgeonCostPerHour * 1e6,
    );
    const { cases } = await system.store.cases.list({ kind: "all" }, { limit: 50 });
    for (const one of cases) expect(Number(one.fields["cost_micro"] ?? 0)).toBeLessThanOrEqual(100_000);
    expect(cases.some((one) => one.fields["diagnosis"]?.includes("spent on its group"))).toBe(true);
  });

  it("learns from what a person released, and heals the next ones with it", async () => {
    const system = await openSurgeonAtWork({ limits: ALONE });
    const { endpoint } = system;
    const [runId = ""] = await submitMany(system, 1);
    const one = await system.untilCase(runId, (found) => found.status === "quarantined");
    const payload = JSON.stringify({ order_id: "A-1000", seats: 7 });
    await system.decide(one.case_id, "release", { why: "read it", payload });
    expect((await system.until(runId)).status).toBe("completed");
    expect(await soleRecipe(system)).toMatchObject({
      by: "ada",
      state: "trial",
      recipe: RENAME,
      learned_from: one.case_id,
    });
    const more = await submitMany(system, 4, 5000);
    for (const id of more) expect((await system.until(id)).status).toBe("completed");
    expect(endpoint.questions.length).toBe(1);
    expect((await soleRecipe(system)).state).toBe("trusted");
  });
});

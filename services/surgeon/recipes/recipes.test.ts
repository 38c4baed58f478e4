import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSurgeonTestSystem } from "../testing/surgeon-test-system.ts";
import { loadRecipes } from "./load-recipes.ts";
import { temporaryFolder } from "../../../tests/support/temporary-folder.ts";

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

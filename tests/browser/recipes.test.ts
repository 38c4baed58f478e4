import { describe, expect, test } from "vitest";
import { timestamp } from "#shared/clock";
import type { TestConsole } from "../../services/console/testing/start-test-console.ts";
import { hasNoBrowser } from "../support/browser/browser.ts";
import { STORY_MS, visitConsole } from "../support/browser/open-console-page.ts";

const RECIPE = {
  version: 1,
  operations: [{ op: "rename", path: "/remark", to: "note" }],
} as const;

async function hold(console: TestConsole): Promise<{ caseId: string; fingerprint: string }> {
  await console.system.start();
  const { case_id: caseId, fingerprint } = await console.admit({
    order_id: "A-17",
    amount: 12.5,
    remark: "a lamp",
  });
  await console.recipes.put({
    recipe_id: "recipe-one",
    fingerprint,
    state: "trial",
    recipe: RECIPE,
    by: "surgeon@1",
    at: timestamp(),
    learned_from: caseId,
    proofs: [caseId],
  });
  return { caseId, fingerprint };
}

describe.skipIf(hasNoBrowser)("the pages of recipes, in a real browser", { timeout: STORY_MS }, () => {
  test("lists recipes by state, and reads one out in words with where it came from and how it fares", async () => {
    const { console, page, goTo } = await visitConsole();
    await goTo("#recipes");
    await page.reads("No recipe yet.");
    const { caseId, fingerprint } = await hold(console);
    await goTo("#");
    await goTo("#recipes");
    await page.reads("Call the member /remark “note” instead.");
    await page.click("button", /^retired/);
    await page.reads("No recipe meets this.");
    await page.click("button", /^trial/);
    await page.click("link", "Recipe recipe-one");
    await page.reads(
      "On trial: it is applied to messages of the producers whose repairs taught it, each time with the full proof",
    );
    await page.reads(`the repair of case ${caseId}`);
    await page.reads(
      "1 message healed with proof since it came on trial; 0 messages that it healed came back.",
    );
    const serves = page.part("link", /validation error/);
    expect(await serves.getAttribute("href")).toBe(`#group/${encodeURIComponent(fingerprint)}`);
    expect(page.complaints).toEqual([]);
  });

  test("tries an edited recipe on the messages that are held, saves only what none speaks against, with a reason", async () => {
    const { console, page, goTo } = await visitConsole();
    await hold(console);
    await goTo("#recipe/recipe-one");
    const save = page.part("button", "Save, on trial");
    expect(await save.isDisabled()).toBe(true);
    await page.write("Recipe as JSON", "{ nonsense");
    await page.reads("This is no JSON yet.");
    await page.write("Recipe as JSON", '{"version":1,"operations":[{"op":"eval","code":"1"}]}');
    await page.reads("/operations/0");
    expect(await save.isDisabled()).toBe(true);
    const invented = [...RECIPE.operations, { op: "set_default", path: "/order_id", value: "A-99" }];
    const lost = [{ op: "delete", path: "/amount" }, ...RECIPE.operations];
    await page.write("Recipe as JSON", JSON.stringify({ version: 1, operations: lost }));
    await page.reads("1 with a failed proof");
    await page.reads("It cannot be saved like this");
    expect(await save.isDisabled()).toBe(true);
    await page.write("Recipe as JSON", JSON.stringify({ version: 1, operations: invented }));
    await page.reads("1 message in the ward tried: 1 healed with proof");
    await page.click("button", "Save, on trial");
    await page.reads("Say why first");
    await page.write("Why change it", "orders may lack a number");
    await page.click("button", "Save, on trial");
    await page.reads(/ada recipe.edit trial → trial orders may lack a number/);
    expect(await console.recipes.find("recipe-one")).toMatchObject({
      state: "trial",
      version: 2,
      recipe: { operations: invented },
      changed_by: "ada",
    });
  });
});

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "vitest";
import { timestamp } from "#shared/clock";
import type { Store } from "#shared/store";
import { producerKey } from "#shared/store/feedback";
import type { TestConsole } from "../../services/console/testing/start-test-console.ts";
import { hasNoBrowser } from "../support/browser/browser.ts";
import { STORY_MS, visitConsole } from "../support/browser/open-console-page.ts";
import { failAgain, seedCases } from "../support/browser/seed-ward.ts";

/** Where the pictures of the documentation go; unset, none is taken. */
const FOLDER = process.env["SUTURE_PICTURES"] ?? "";

const FAILING = "refunds/validation_error/9c21f4";
const WAITING = "reply/content_error/4be0a7";
const HEALED = "triage/parse_error/1d77c3";

describe.skipIf(hasNoBrowser || FOLDER === "")(
  "the pictures of the documentation",
  { timeout: STORY_MS },
  () => {
    test("are taken of pages with something on them", async () => {
      const { console, page, goTo } = await visitConsole();
      await mkdir(FOLDER, { recursive: true });
      const recipeId = await furnish(console);
      const places = [
        ["groups", "#groups", "Repairs"],
        ["group", `#group/${encodeURIComponent(FAILING)}`, "Repairs do not hold"],
        ["recipes", "#recipes", "Call the member"],
        ["recipe", `#recipe/${recipeId}`, "Read what stands at"],
        ["producers", "#producers", "malformed outputs; the worst first"],
      ] as const;
      for (const [name, place, told] of places) {
        await goTo(place);
        await page.reads(told);
        await writeFile(join(FOLDER, `${name}.png`), await page.tab.screenshot());
      }
    });
  },
);

async function furnish({ store, recipes }: TestConsole): Promise<string> {
  const made = { agent: "refunds", contract: "refund@2", producer: "export@4|refund@2|gpt-5-mini|7" };
  await seedCases(store, 12, { fingerprint: HEALED, agent: "triage", status: "discharged", costMicro: 1200 });
  await seedCases(store, 4, { fingerprint: WAITING, agent: "reply", contract: "reply@1", costMicro: 21_000 });
  const ids = await seedCases(store, 9, { fingerprint: FAILING, ...made });
  for (const id of ids.slice(0, 5)) await failAgain(store, id);
  const recipeId = "5f0c2a1e-recipe";
  await recipes.put({
    recipe_id: recipeId,
    fingerprint: FAILING,
    state: "trial",
    by: "surgeon@1",
    at: timestamp(),
    learned_from: ids[0] ?? null,
    proofs: ids.slice(1, 3),
    recipe: {
      version: 1,
      operations: [
        { op: "rename", path: "/items/*/qty", to: "quantity" },
        { op: "coerce", path: "/items/*/quantity", to: "integer" },
        { op: "map_value", path: "/reason", map: [{ from: "kaputt", to: "damaged" }] },
      ],
    },
  });
  await store.cases.groups.mark(WAITING, { lifecycle: "acknowledged", by: "ada", why: "asked the author" });
  const limits = { caseMicroMax: 9e6, hourMicroMax: 5e6, tenantMicroMax: 5e6, groupMicroMax: 9e6 };
  const [caseId = ""] = ids;
  for (const micro of [4_860_000, 300_000])
    await store.cases.costs.reserve({ caseId, tenant: "local", fingerprint: FAILING, micro, limits });
  await reportOutputs(store);
  return recipeId;
}

async function reportOutputs(store: Store): Promise<void> {
  const producer = { agent: "refunds@2", contract: "reply@1", model: "gpt-5-mini", prompt_version: "7" };
  const other = { ...producer, agent: "triage@1", model: null, prompt_version: null };
  await store.rates.countOutputs({
    good: new Map([
      [producerKey(producer), 13],
      [producerKey(other), 40],
    ]),
    bad: new Map([[producerKey(producer), 9]]),
  });
}

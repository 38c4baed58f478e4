import { describe, expect, test } from "vitest";
import type { TestConsole } from "../../services/console/testing/start-test-console.ts";
import { hasNoBrowser } from "../support/browser/open-browser.ts";
import { STORY_MS, visitConsole } from "../support/browser/open-console-page.ts";
import type { Page } from "../support/browser/page.ts";
import { startRealSurgeon } from "../support/start-real-surgeon.ts";

const MESSAGES = 5;

/** Messages of one kind, all of which wait for a person. */
async function fillGroup(console: TestConsole, page: Page): Promise<string> {
  await console.system.start();
  startRealSurgeon(console);
  let fingerprint = "";
  for (let n = 0; n < MESSAGES; n += 1)
    ({ fingerprint } = await console.admit({ order_id: null, amount: n, note: "x", surplus: "x" }));
  await page.until(
    async () => (await console.store.cases.counts()).quarantined === MESSAGES,
    "all in quarantine",
  );
  return fingerprint;
}

const results = (page: Page): Promise<string[]> =>
  page.tab.locator(".apply tbody td:last-child").allInnerTexts();

describe.skipIf(hasNoBrowser)("work on a whole group, in a real browser", { timeout: STORY_MS }, () => {
  test("counts first, tries the first few, outlives the page, goes on when told to, and says what became of each", async () => {
    const { console, page } = await visitConsole("operator");
    const fingerprint = await fillGroup(console, page);
    const address = `${console.url}/#group/${encodeURIComponent(fingerprint)}`;
    await page.goTo(address);
    await page.part("combobox", "Decision").selectOption("discard");
    await page.write("Why for all of them", "a test of ours");
    await page.write("First few, then a look", "2", "spinbutton");
    await page.click("button", "Plan (dry run)");
    await page.reads("Planned: nothing is touched yet. 5 of 5 would pass.");
    expect((await console.store.cases.counts()).discarded).toBe(0);
    await page.click("button", "Start with the first 2");
    await page.reads("The first few are done");
    expect((await console.store.cases.counts()).quarantined).toBe(MESSAGES - 2);
    const later = await page.beside();
    await later.goTo(address);
    await later.reads("The first few are done");
    await later.tab.getByText("What became of each case").click();
    await later.until(
      async () => (await results(later)).filter((text) => text === "discarded").length === 2,
      "two done",
    );
    expect(await results(later)).toEqual(["discarded", "discarded", ...Array(3).fill("not yet its turn")]);
    await later.click("button", "Go on with the other 3");
    await later.reads("Done. (100 %)");
    await later.until(async () => (await results(later)).every((text) => text === "discarded"), "all done");
    await later.reads(/olga group.plan/);
    expect((await console.store.cases.counts()).discarded).toBe(MESSAGES);
  });
});

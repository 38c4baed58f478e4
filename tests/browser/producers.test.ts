import { describe, expect, test } from "vitest";
import { hasNoBrowser } from "../support/browser/open-browser.ts";
import { STORY_MS, visitConsole } from "../support/browser/open-console-page.ts";

describe.skipIf(hasNoBrowser)("the page of producers, in a real browser", { timeout: STORY_MS }, () => {
  test("shows who makes malformed outputs, and has a circuit opened and closed by hand with a reason", async () => {
    const { console, page, goTo } = await visitConsole("operator");
    await goTo("#producers");
    await page.reads("No agent has worked in the last week");
    await console.system.start({ circuitsEveryMs: 20 });
    await console.admit({ order_id: 1, amount: "many" });
    await page.reads("1 of 1 producers made malformed outputs");
    await page.reads("gateway@1");
    await page.reads("50 % of at least 20 outputs in 5 minutes; trial after 1 minute with 10 % of its work");
    await page.click("button", "Open con-book");
    await page.reads("Say why first");
    await page.write("Why, for the circuit of con-book", "a bad release");
    await page.click("button", "Open con-book");
    await page.reads("olga opened it. It stays open until somebody closes it.");
    await page.reads("A circuit is open: con-book (open: alert).");
    await page.write("Why, for the circuit of con-book", "rolled back");
    await page.click("button", "Close con-book");
    await page.part("button", "Open con-book").waitFor();
    expect(await console.store.circuits.find("con-book")).toMatchObject({ state: "closed", held_by: null });
    await page.readsNoMore("A circuit is open");
    expect(page.complaints).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import { openModelSystem } from "../support/open-model-system.ts";
import { hasNoBrowser } from "../support/browser/open-browser.ts";
import { STORY_MS, visitConsole } from "../support/browser/open-console-page.ts";
import { plainDesk, ticket, TEXT, TOKEN } from "../run-steps/desk-team.ts";

/** Runs as script wherever it is taken for anything but text. */
const SCRIPT = "<img src=x onerror=document.title='taken'><script>document.title='taken'</script>";

describe.skipIf(hasNoBrowser)("the page of a run, in a real browser", { timeout: STORY_MS }, () => {
  test("shows what each step was sent and gave, and runs nothing of it", async () => {
    const { system, endpoint } = await openModelSystem(plainDesk);
    endpoint.behave = () => JSON.stringify({ queue: "parcels", writer: SCRIPT });
    const long = `${TEXT} ${"It rained all day long. ".repeat(600)}`;
    const { runId } = await system.submit(ticket({ text: long, colour: "emerald green" }));
    await system.until(runId);
    const { page, goTo } = await visitConsole("operator", [], system);
    await goTo(`#run/${runId}`);
    await page.reads("Model call of desk-front route");
    await page.reads("Handed on by desk-front to desk-back");
    const text = await page.text();
    expect(text).toContain("Instructions");
    expect(text).not.toContain(TOKEN);
    expect(text).toContain("onerror=document.title");
    // Cut values are fetched whole on demand.
    const before = await page.parts("button", "Show all of it");
    expect(before.length).toBeGreaterThan(0);
    await page.click("button", "Show all of it");
    await page.until(
      async () => (await page.parts("button", "Show all of it")).length === before.length - 1,
      "one value is whole",
    );
    expect(await page.tab.title()).not.toContain("taken");
    expect(page.complaints).toEqual([]);
    if (process.env["SUTURE_SCREENSHOTS"] !== undefined)
      await page.tab.screenshot({ path: process.env["SUTURE_SCREENSHOTS"], fullPage: true });
  });
});

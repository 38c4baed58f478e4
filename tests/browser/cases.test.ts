import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openSurgeonTestSystem } from "../../services/surgeon/testing/surgeon-test-system.ts";
import { hasNoBrowser } from "../support/browser/open-browser.ts";
import { STORY_MS, visitConsole } from "../support/browser/open-console-page.ts";
import { seedCases } from "../support/browser/seed-ward.ts";

const PICTURES = process.env["SUTURE_PICTURES"] ?? "";
const GROUP = { fingerprint: "con-book/validation_error/0000ee" };

describe.skipIf(hasNoBrowser)("cases, in a real browser", { timeout: STORY_MS }, () => {
  test("a search says how far it has looked, goes on to an old case, and keeps it when something happens", async () => {
    const { console, page } = await visitConsole("operator");
    const [old = ""] = await seedCases(console.store, 1, {
      ...GROUP,
      diagnosis: "The lamp is needle green.",
    });
    await seedCases(console.store, 2100, GROUP);
    await page.goTo(`${console.url}/#`);
    await page.write(/Find/, "needle", "searchbox");
    await page.reads("Searched 2,000 of 2,101 cases, the newest first: none of them meets this.");
    await page.click("button", "Search on");
    await page.reads("con-book con.order@1");
    const links = "[...document.querySelectorAll('#cases a')].map((link) => link.hash)";
    expect(await page.tab.evaluate(links)).toEqual([`#case/${old}`]);
    await seedCases(console.store, 1, { ...GROUP, diagnosis: "Another." });
    await page.reads("2102 open of 2102");
    expect(await page.tab.evaluate(links)).toEqual([`#case/${old}`]);
  });

  test("a case that first aid healed shows by which rule and from which words, and what it did not use", async () => {
    const system = await openSurgeonTestSystem({
      handle: (refund, ctx) => ctx.complete({ order_id: refund.order_id }),
    });
    await system.start();
    system.startSurgeon();
    const words = `Here you are:\n{'order_id': 'A-1234', 'seats': "2", 'reason': "LATE!", "pages": 3, "by": "<b>\u202Exx</b>"}`;
    const { runId } = await system.submit(words);
    await system.until(runId);
    const { case_id } = await system.untilCase(runId, ({ status }) => status === "discharged");
    const { page, goTo } = await visitConsole("operator", [], system);
    await goTo(`#case/${case_id}`);
    await page.reads("Where the changed values come from");
    const rows = `[...document.querySelectorAll('details tr')].map((row) => [...row.cells].map((cell) => cell.innerText))`;
    expect(await page.tab.evaluate(rows)).toEqual([
      ["Field", "Rule", "In the original"],
      ["/seats", "text read as a number", "2"],
      ["/reason", "listed value in other case", "LATE!"],
      ["Not used", "In the original", "Reason"],
      ["pages", "3", "The contract has no such field."],
      ["by", "<b>⟨U+202E⟩xx</b>", "The contract has no such field."],
    ]);
    if (PICTURES !== "")
      await writeFile(join(PICTURES, "first-aid-evidence.png"), await page.tab.screenshot());
  });
});

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
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

  test("a case says who sent it on as it stood, which procedure read it, and why it cannot be redirected", async () => {
    const state = { isBroken: true };
    const system = await openSurgeonTestSystem({
      handle: (refund, ctx) => {
        if (state.isBroken) throw new Error("the till is closed");
        return ctx.complete({ order_id: refund.order_id });
      },
    });
    const { startSurgeon, untilCase } = system;
    await system.start();
    startSurgeon();
    const good = { order_id: "A-1234", seats: 2 };
    const { runId } = await system.submit(good);
    const { case_id } = await untilCase(runId, ({ status }) => status === "quarantined");
    const { page, goTo } = await visitConsole("operator", [], system);
    await goTo(`#case/${case_id}`);
    await page.reads("No procedure was tried.");
    const target = page.part("combobox", "Redirect to");
    expect(await target.inputValue()).toBe("clerk");
    state.isBroken = false;
    await page.write("Why", "the till is open again");
    await page.click("button", "Release as it is");
    await page.reads("It went on as it stood: olga sent it on, because: the till is open again");
    const read = await system.submit(JSON.stringify(good));
    await system.until(read.runId);
    const healed = await untilCase(read.runId, ({ status }) => status === "discharged");
    await goTo(`#case/${healed.case_id}`);
    await page.reads(/repair by first aid: healed/i);
    await page.reads("Nothing in it was changed: only its text was read.");
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

  test("a message that no other agent takes says so, in place of a choice without choices", async () => {
    const alone = agent("alone@1", {
      accepts: contract("alone.note@1", z.object({ text: z.string() })),
      handle: (note, ctx) => ctx.complete(note),
    });
    const system = createTestSystem(team("alone", [alone]));
    await system.start();
    const { console, page, goTo } = await visitConsole("operator", [], system);
    const { case_id } = await console.admit({ text: 7 });
    await goTo(`#case/${case_id}`);
    await page.reads("It cannot be redirected: no other agent of its team takes its contract.");
    expect(await page.parts("button", "Redirect")).toEqual([]);
  });
});

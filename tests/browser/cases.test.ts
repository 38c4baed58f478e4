import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openSurgeonTestSystem } from "../../services/surgeon/testing/surgeon-test-system.ts";
import { hasNoBrowser } from "../support/browser/browser.ts";
import { STORY_MS, visitConsole } from "../support/browser/open-console-page.ts";
import { seedCases } from "../support/browser/seed-ward.ts";
import { openAttachedOrders } from "../../services/console/testing/open-attached-orders.ts";

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

const CARD = "4539578763621486";

describe.skipIf(hasNoBrowser)(
  "an attached queue in the ward's own pages, in a real browser",
  { timeout: STORY_MS },
  () => {
    test("lead from a queue to a group and a job, which is sent back with its repair, and then the group", async () => {
      const orders = openAttachedOrders();
      await orders.fail(...["o1", "o2"].map((order) => ({ order, amount: "12", paid: true, card: CARD })), {
        order: "o3",
        amount: 3,
        paid: false,
      });
      const { page, enter } = await visitConsole("operator", [], undefined, orders.attached);
      await page.click("link", "Groups");
      await page.part("combobox", "Of").selectOption("orders");
      await page.reads("Contract");
      await page.part("link", /^invalid_type \/amount string/).focus();
      await page.tab.keyboard.press("Enter");
      await page.reads("unsealed");
      await page.write("Why for all of them", "texts");
      await page.part("checkbox", /effects may be repeated/).check();
      await page.click("button", "Plan (dry run)");
      await page.reads("2 of 2 would pass");
      await page.reads("bullmq:orders:1: replace /amount");
      await page.click("link", "bullmq:orders:1");
      await page.reads(/repair by first aid: healed/i);
      expect(await page.text()).not.toContain(CARD);
      await page.reads("The contract takes this value.");
      await page.write(/^Why/, "it was text");
      await page.click("button", "Release this value");
      await page.reads("effects unknown");
      await page.part("checkbox", /effects may be repeated/).check();
      await page.click("button", "Release this value");
      await page.until(async () => (await orders.queue.getJobState("1")) === "waiting", "job 1 goes back");
      expect((await orders.queue.getJob("1"))?.data).toMatchObject({ amount: 12, card: CARD });
      await orders.work();
      await page.click("button", /^Start/);
      await page.until(
        async () => (await orders.queue.getJobState("2")) === "waiting",
        "the group goes back",
      );
      await orders.work();
      await page.reads("1 seen to have gone on");
      const viewer = await enter("viewer");
      await viewer.click("link", "Groups");
      await viewer.part("combobox", "Of").selectOption("orders");
      await viewer.reads("1 of 1 open");
      expect(await viewer.parts("link", /^an? |card|amount/)).toEqual([]);
      expect([page.complaints, viewer.complaints]).toEqual([[], []]);
    });
  },
);

import { describe, expect, test } from "vitest";
import { openAttachedOrders } from "../../services/console/testing/open-attached-orders.ts";
import { hasNoBrowser } from "../support/browser/open-browser.ts";
import { STORY_MS, visitConsole } from "../support/browser/open-console-page.ts";

const CARD = "4539578763621486";

describe.skipIf(hasNoBrowser)("the page of attached queues, in a real browser", { timeout: STORY_MS }, () => {
  test("leads from a queue to a group and a job, which is edited, sent back and undone", async () => {
    const orders = openAttachedOrders();
    await orders.fail(...["o1", "o2"].map((order) => ({ order, amount: "12", paid: true, card: CARD })), {
      order: "o3",
      amount: 3,
      paid: false,
    });
    const { page, enter } = await visitConsole("operator", [], undefined, orders.attached);
    await page.click("link", "Attached");
    await page.reads("3 failed jobs, all of them");
    await page.part("link", /^invalid_type \/amount string/).focus();
    await page.tab.keyboard.press("Enter");
    await page.reads("Job 1");
    await page.reads("unsealed");
    expect(await page.text()).not.toContain(CARD);
    await page.click("button", "Dry run");
    await page.reads("2 would be tried");
    await page.reads("job 1: replace /amount");
    const job = page.tab.getByRole("article", { name: "Job 1", exact: true });
    await job.getByText("Decide").click();
    const data = await page.part("textbox", "New data, for job 1").inputValue();
    await page.click("button", "Check job 1");
    await page.reads("expected integer");
    await page.write("New data, for job 1", data.replace('"12"', "12"));
    await page.click("button", "Check job 1");
    await page.reads("The contract has no objection.");
    await page.click("button", "Send back job 1");
    await page.reads("Say why first");
    await page.write("Why, for job 1", "it was text");
    await page.click("button", "Send back job 1");
    await page.reads("effects unknown");
    await page.part("checkbox", "Effects may be repeated, for job 1").check();
    await page.click("button", "Send back job 1");
    await page.until(async () => (await orders.queue.getJobState("1")) === "waiting", "job 1 goes back");
    expect((await orders.queue.getJob("1"))?.data).toMatchObject({ amount: 12, card: CARD });
    await page.readsNoMore("Job 1 ");
    await orders.work();
    await page.write("Why for all of them", "texts");
    await page.part("checkbox", /effects of these jobs/).check();
    await page.part("button", "Send the group back").click();
    await page.until(async () => (await orders.queue.getJobState("2")) === "waiting", "the group goes back");
    await orders.work();
    await page.reads("1 sent back");
    const viewer = await enter("viewer");
    await viewer.click("link", "Attached");
    await viewer.reads("1 failed job, all of them");
    expect(await viewer.parts("link", /^an? |card|amount/)).toEqual([]);
    expect([page.complaints, viewer.complaints]).toEqual([[], []]);
  });
});

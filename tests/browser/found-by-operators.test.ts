import { expect, test } from "vitest";
import { openAttachedOrders } from "../../services/console/testing/open-attached-orders.ts";
import { STORY_MS, visitConsole } from "../support/browser/open-console-page.ts";
import type { Page } from "../support/browser/browser.ts";
import type { Visit } from "../support/browser/open-console-page.ts";
import { seedCases } from "../support/browser/seed-ward.ts";

/** Faults of an earlier console that operators found, each as they met it. */

const story = { timeout: STORY_MS };
const GROUP = "con-spare/validation_error/0000aa";

async function openInbox(): Promise<Visit> {
  const visit = await visitConsole("operator");
  await seedCases(visit.console.store, 60, { fingerprint: GROUP, agent: "con-spare" });
  await visit.goTo(`/inbox?fingerprint=${encodeURIComponent(GROUP)}`);
  await casesOf(visit.page).first().waitFor();
  return visit;
}

const casesOf = (page: Page) =>
  page.part("region", "Groups and cases").getByRole("listitem").getByRole("link");

test(
  "the ward begins at the top of its page, and a case opens beside its list without moving it",
  story,
  async () => {
    const { page } = await openInbox();
    const third = casesOf(page).nth(2);
    const before = await third.boundingBox();
    expect(before?.y).toBeLessThan(500);
    await third.click();
    await page.part("button", /^Discard/).waitFor();
    expect(await page.tab.evaluate("scrollY")).toBe(0);
    expect(await third.boundingBox()).toMatchObject({ y: before?.y });
  },
);

test("keys walk the list and keep the focus, and filters and the case survive a reload", story, async () => {
  const { page } = await openInbox();
  await page.tab.keyboard.press("j");
  await page.part("button", /^Discard/).waitFor();
  await page.tab.keyboard.press("j");
  const second = await casesOf(page).nth(1).getAttribute("href");
  const focused = "document.activeElement.getAttribute('href')";
  await page.until(
    async () => (await page.tab.evaluate(focused)) === second,
    "the second case has the focus",
  );
  const address = page.tab.url();
  expect(address).toContain("fingerprint=");
  await page.tab.reload();
  await page.part("button", /^Discard/).waitFor();
  expect(page.tab.url()).toBe(address);
});

test("text selected in a table stays selected while the page is told what is new", story, async () => {
  const { console, page } = await openInbox();
  await page.tab.evaluate(`{
    const cell = document.querySelector("main li a > span");
    const range = document.createRange();
    range.selectNodeContents(cell);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  }`);
  const selected = await page.tab.evaluate("String(getSelection())");
  expect(selected).not.toBe("");
  await seedCases(console.store, 3, { fingerprint: "con-spare/parse_error/0000bb", agent: "con-spare" });
  await page.tab.waitForTimeout(3000);
  expect(await page.tab.evaluate("String(getSelection())")).toBe(selected);
});

test("a job of an attached queue that was sent back is listed no more", story, async () => {
  const orders = openAttachedOrders();
  await orders.fail({ order: "o1", amount: "12", paid: true });
  await orders.fail({ order: "o2", amount: "13", paid: true });
  const { console, page, goTo } = await visitConsole("operator", [], undefined, orders.attached);
  const idOf = (n: number): string => encodeURIComponent(`bullmq:orders:${n}`);
  const { status } = await console.post(`/v1/ward/cases/${idOf(1)}/operate`, {
    why: "text",
    accepts_effects: true,
  });
  expect(status).toBeLessThan(300);
  await goTo("/inbox?source=orders");
  await page.reads("1 of 1 waits");
});

test("nothing that needs no reply covers the editor, and one thing is one thing", story, async () => {
  const { page, goTo, console } = await visitConsole("operator");
  await console.system.start();
  const { case_id } = await console.admit({ order_id: "AB-7", note: "no amount" });
  await goTo(`/inbox/case/${case_id}`);
  await page.click("button", /^Edit and release/);
  await page.reads("/amount");
  const covering = await page.tab.evaluate(`[...document.querySelectorAll("[role=status], [role=alert]")]
    .filter(({ textContent }) => textContent !== "")
    .map((one) => getComputedStyle(one).position)
    .filter((position) => position === "fixed" || position === "absolute")`);
  expect(covering).toEqual([]);
  expect(await page.text()).not.toMatch(/\b1 (?:things|cases|messages|faults|places)\b/);
});

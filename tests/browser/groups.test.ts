import { describe, expect, test } from "vitest";
import { hasNoBrowser } from "../support/browser/browser.ts";
import { STORY_MS, visitConsole } from "../support/browser/open-console-page.ts";
import { failAgain, seedCases } from "../support/browser/seed-ward.ts";
import type { TestConsole } from "../../services/console/testing/start-test-console.ts";
import type { Page } from "../support/browser/browser.ts";
import { startRealSurgeon } from "../support/operate-on.ts";

const QUIET = "con-book/validation_error/0000aa";
const FAILING = "con-book/validation_error/0000bb";
const WAITING = "con-spare/parse_error/0000cc";
const BACK = "con-spare/content_error/0000dd";

describe.skipIf(hasNoBrowser)("the page of groups, in a real browser", { timeout: STORY_MS }, () => {
  test("puts first what came back and what fails again, and says of each what to do", async () => {
    const { console, page, goTo } = await visitConsole();
    const { store } = console;
    await goTo("#groups");
    await page.reads("No message has died: there are no groups.");
    await seedCases(store, 2, { fingerprint: QUIET, status: "discharged" });
    const [first = ""] = await seedCases(store, 3, { fingerprint: FAILING });
    await failAgain(store, first);
    await seedCases(store, 5, { fingerprint: WAITING, costMicro: 120_000 });
    await seedCases(store, 1, { fingerprint: BACK });
    await store.cases.groups.mark(BACK, {
      lifecycle: "resolved",
      by: "olga",
      since: { name: "export", version: 3 },
    });
    await seedCases(store, 1, { fingerprint: BACK });
    const rows = page.tab.getByRole("rowheader");
    await page.until(async () => (await rows.count()) === 4, "four groups");
    const sorted = await rows.allInnerTexts();
    expect(sorted.map((text) => text.slice(-6))).toEqual(["0000dd", "0000bb", "0000cc", "0000aa"]);
    await page.reads("2 groups on this page came back or fail again after repair.");
    await page.reads("1 failed again (100 %)");
    await page.part("combobox", /^Needs/).selectOption("waiting");
    await page.until(async () => (await rows.count()) === 1, "one group");
    await page.reads("5 of 5 open");
    await page.part("combobox", /^Called/).selectOption("resolved");
    await page.reads("No group meets these filters.");
    expect(page.complaints).toEqual([]);
  });

  test("shows one group with its story, and has it acknowledged, resolved in a version and reopened", async () => {
    const { console, page, goTo } = await visitConsole("operator");
    const [first = ""] = await seedCases(console.store, 3, { fingerprint: FAILING });
    await failAgain(console.store, first);
    await goTo(`#group/${encodeURIComponent(FAILING)}`);
    await page.reads("Repairs do not hold: 1 of 1 messages that were sent on came back.");
    await page.reads("export@3 for con.order@1 with gpt-5-mini prompt 7");
    await page.reads("3, 3 of them wait for a person");
    await page.reads("Nobody has done anything with it as a whole.");
    await page.click("button", "Acknowledge");
    await page.reads("acknowledged. Somebody looks after it.");
    await page.click("button", "Resolved");
    await page.reads("Say why first");
    await page.write("Why, for what you think of this group", "export 5 mends it");
    await page.write(/^Resolved from this version on/, "export@5");
    await page.click("button", "Resolved");
    await page.reads(/for export@5 and later/);
    expect(await console.store.cases.groups.find(FAILING)).toMatchObject({
      lifecycle: "resolved",
      resolution: { by: "olga", since: { name: "export", version: 5 } },
    });
    await page.click("button", "Reopen");
    await page.reads("open. Nobody has said that they look after it.");
    await page.reads(/olga group.resolve/);
  });

  test("tells plainly when somebody else changed a group meanwhile, does nothing, and keeps what was typed", async () => {
    const { console, page, goTo } = await visitConsole("operator");
    await seedCases(console.store, 1, { fingerprint: WAITING });
    await goTo(`#group/${encodeURIComponent(WAITING)}`);
    await page.write("Why, for what you think of this group", "on it");
    await console.post(`/v1/ward/groups/${encodeURIComponent(WAITING)}/resolve`, { why: "mended" });
    await page.reads("This was changed while you were writing.");
    await page.click("button", "Acknowledge");
    await page.reads(
      "The group was changed by ada after you had looked at it: it is now resolved. Nothing of yours was done.",
    );
    expect(await console.store.cases.groups.find(WAITING)).toMatchObject({ lifecycle: "resolved" });
    expect(await page.part("textbox", "Why, for what you think of this group").inputValue()).toBe("on it");
    await page.click("button", "Acknowledge");
    await page.reads("acknowledged. Somebody looks after it.");
  });
});

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

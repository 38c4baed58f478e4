import { describe, expect, test } from "vitest";
import { hasNoBrowser } from "../support/browser/open-browser.ts";
import { STORY_MS, visitConsole } from "../support/browser/open-console-page.ts";
import { failAgain, seedCases } from "../support/browser/seed-ward.ts";

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

import { describe, expect, test } from "vitest";
import { createTestSystem } from "#shared/testing";
import { ordersTeam } from "../../services/console/testing/orders-team.ts";
import { hasNoBrowser } from "../support/browser/open-browser.ts";
import { STORY_MS, visitConsole } from "../support/browser/open-console-page.ts";
import type { Page } from "../support/browser/page.ts";
import { seedCases } from "../support/browser/seed-ward.ts";
import { startOwnRedis } from "../support/redis-servers.ts";

const GROUP = { fingerprint: "con-book/validation_error/0000ff" };

const state = (page: Page): Promise<unknown> =>
  page.tab.evaluate("document.getElementById('connection')?.innerText");
const isLive = (page: Page) => page.until(async () => (await state(page)) === "live", "news");

describe.skipIf(hasNoBrowser)("many tabs of one person, in a real browser", { timeout: STORY_MS }, () => {
  test("eight tabs are live on one stream, and the rest stay so when the tab that reads it is closed", async () => {
    const { console, page } = await visitConsole("operator");
    const tabs = [page];
    while (tabs.length < 8) {
      const tab = await page.beside();
      await tab.goTo(`${console.url}/#groups`);
      await isLive(tab);
      tabs.push(tab);
    }
    const [caseId] = await seedCases(console.store, 1, GROUP);
    for (const tab of tabs.slice(1)) await tab.reads("con-book");
    // The first one had the stream.
    await page.tab.close();
    await seedCases(console.store, 1, { ...GROUP, fingerprint: "con-spare/validation_error/000100" });
    for (const tab of tabs.slice(1)) {
      await tab.reads("con-spare");
      await isLive(tab);
      expect(tab.complaints).toEqual([]);
    }
    await tabs[7]?.tab.evaluate(`location.hash = "case/${caseId}"`);
    await tabs[7]?.reads(caseId ?? "");
  });
});

describe.skipIf(hasNoBrowser)(
  "a page that is opened in bad times, in a real browser",
  { timeout: STORY_MS },
  () => {
    test("says that there is no news while Redis is away, never that it is live, and is there when Redis is", async () => {
      const redis = await startOwnRedis();
      const system = createTestSystem(ordersTeam, { store: { url: redis.url } });
      const { console, page } = await visitConsole("operator", [], system);
      await seedCases(console.store, 1, GROUP);
      await redis.kill();
      const opened: Page[] = [];
      for (const place of ["#", "#groups", `#group/${encodeURIComponent(GROUP.fingerprint)}`]) {
        const tab = await page.beside();
        await tab.goTo(`${console.url}/${place}`);
        opened.push(tab);
      }
      for (const tab of opened) {
        await tab.reads("The console has no news. Nothing could be read yet.");
        expect(await state(tab)).toBe("no news");
      }
      await redis.revive();
      await page.until(async () => console.store.redis.status === "ready", "the console to reach its Redis");
      // What a server that keeps nothing has lost is written anew.
      await seedCases(console.store, 1, GROUP);
      for (const tab of opened) {
        await isLive(tab);
        await tab.reads("balanced");
        await tab.reads("con-book");
        expect(await tab.parts("button", "Try again")).toEqual([]);
        await tab.readsNoMore("has no news");
      }
    });
  },
);

import { describe, expect, onTestFinished, test } from "vitest";
import { timestamp } from "#shared/clock";
import { producerKey } from "#shared/store/feedback";
import { createTestSystem } from "#shared/testing";
import type { TestConsole } from "../../services/console/testing/start-test-console.ts";
import { TcpProxy } from "../chaos/tcp-proxy.ts";
import { hasNoBrowser } from "../support/browser/browser.ts";
import { logIn, STORY_MS, visitConsole } from "../support/browser/open-console-page.ts";
import type { Page } from "../support/browser/browser.ts";
import { seedCases } from "../support/browser/seed-ward.ts";
import { ordersTeam } from "../../services/console/testing/orders-team.ts";
import { startOwnRedis } from "../support/redis-servers.ts";

describe.skipIf(hasNoBrowser)("a page in trouble, in a real browser", { timeout: STORY_MS }, () => {
  const GROUP = "con-book/validation_error/0000aa";

  const WHY = "Why, for what you think of this group";

  /** Ends the session that a page goes by, as its end of life would. */
  async function endSession(page: Page, url: string): Promise<void> {
    const cookies = await page.tab.context().cookies(url);
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const answer = await fetch(`${url}/v1/session`, { method: "DELETE", headers: { cookie, origin: url } });
    expect(answer.status).toBe(204);
  }

  /** Markup that would run, and characters that turn the text about or show nothing. */
  const evil = (name: string): string =>
    `<img src=x onerror="globalThis.hacked=1"><script>hacked=1</script>javascript:hacked=1 \u202Eelpmis\u202C\u200B\u2028 EVIL-${name}`;

  async function plantHostileText({
    store,
    recipes,
  }: TestConsole): Promise<{ fingerprint: string; recipeId: string; caseId: string }> {
    const fingerprint = `${evil("agent").slice(0, 150)}/EVIL/x`;
    const [caseId = ""] = await seedCases(store, 1, {
      fingerprint,
      agent: evil("agent"),
      contract: evil("contract"),
      producer: `${evil("producer")}@1|${evil("contract")}|${evil("model")}|${evil("prompt")}`,
      diagnosis: evil("diagnosis"),
    });
    await store.cases.groups.mark(fingerprint, {
      lifecycle: "acknowledged",
      by: evil("by"),
      why: evil("why"),
    });
    const recipeId = evil("recipe").slice(0, 190);
    const operation = { op: "set_default", path: `/${evil("path")}`, value: evil("value") };
    await recipes.put({
      recipe_id: recipeId,
      fingerprint,
      state: "trusted",
      recipe: { version: 1, operations: [operation] },
      by: evil("by"),
      at: timestamp(),
      why: evil("why"),
      proofs: [evil("proof")],
    });
    const producer = { agent: evil("agent"), contract: "c@1", prompt_version: "\u202E1" };
    const key = producerKey({ ...producer, model: `${evil("").slice(-30)}-model` });
    await store.rates.countOutputs({ good: new Map([[key, 3]]) });
    return { fingerprint, recipeId, caseId };
  }

  test("keeps what is typed when the session ends, says so, and goes on with it after a login beside it", async () => {
    const { console, page, goTo } = await visitConsole("operator");
    await seedCases(console.store, 1, { fingerprint: GROUP });
    await goTo(`#group/${encodeURIComponent(GROUP)}`);
    await page.write(WHY, "I look after it");
    await endSession(page, console.url);
    await page.click("button", "Acknowledge");
    await page.reads("Your session has ended.");
    expect(await console.store.cases.groups.find(GROUP)).toMatchObject({ lifecycle: "open" });
    expect(await page.part("textbox", WHY).inputValue()).toBe("I look after it");
    const beside = await page.beside();
    await beside.goTo(`${console.url}/login`);
    await logIn(beside, "operator");
    await page.click("button", "Acknowledge");
    await page.reads("acknowledged. Somebody looks after it.");
    await page.readsNoMore("Your session has ended");
  });

  test("leads who is not logged in to the login, and back to the place they asked for", async () => {
    const { console, page } = await visitConsole("viewer");
    await endSession(page, console.url);
    const fresh = await page.beside();
    await fresh.goTo(`${console.url}/#recipes`);
    await logIn(fresh, "viewer");
    await fresh.reads("No recipe yet.");
  });

  test("says that the console is away and how old the page is, keeps what is typed, and comes back by itself", async () => {
    const { console, page } = await visitConsole("operator");
    await seedCases(console.store, 1, { fingerprint: GROUP });
    const link = await TcpProxy.open(Number(new URL(console.url).port));
    onTestFinished(() => link.close());
    const url = `http://127.0.0.1:${link.port}`;
    // A cookie is for a host, whatever the port.
    await page.goTo(`${url}/#group/${encodeURIComponent(GROUP)}`);
    await page.write(WHY, "I look after it");
    link.misbehave("refuse");
    await page.click("button", "Acknowledge");
    await page.reads("The console does not answer. Nothing was changed that you do not see");
    await page.reads("What you see is as it was at");
    expect(await page.part("textbox", WHY).inputValue()).toBe("I look after it");
    link.mend();
    await page.readsNoMore("What you see is as it was at");
    await page.click("button", "Acknowledge");
    await page.reads("acknowledged. Somebody looks after it.");
  });

  test("shows hostile text as text in every field, with what cannot be seen written out", async () => {
    const { console, page, goTo } = await visitConsole();
    const { fingerprint, recipeId, caseId } = await plantHostileText(console);
    const places = [
      ["#groups", "EVIL"],
      [`#group/${encodeURIComponent(fingerprint)}`, "EVIL-why"],
      ["#recipes", "EVIL"],
      [`#recipe/${encodeURIComponent(recipeId)}`, "EVIL-value"],
      ["#producers", "EVIL--model"],
      [`#case/${encodeURIComponent(caseId)}`, "EVIL-diagnosis"],
    ] as const;
    for (const [place, told] of places) {
      await goTo(place);
      await page.reads(told);
      await page.reads("⟨U+202E⟩");
      const text = await page.text();
      expect(text.match(/[\p{Cf}\p{Zl}]/gu), place).toBeNull();
      expect(
        await page.tab.evaluate(
          "document.querySelectorAll('img, script:not([src]), iframe, form[action]').length",
        ),
      ).toBe(0);
      expect(await page.tab.evaluate("'hacked' in globalThis")).toBe(false);
      const links = await page.tab.evaluate("[...document.links].map((link) => link.protocol)");
      expect(new Set(links as string[]), place).toEqual(new Set(["http:"]));
    }
    await goTo(`#recipe/${encodeURIComponent(recipeId)}`);
    const box = page.part("textbox", "Recipe as JSON");
    // In a field that is typed in, what cannot be seen is escaped: the same value, and to be seen.
    expect((await box.inputValue()).match(/[\p{Cf}\p{Zl}]/gu)).toBeNull();
    expect(JSON.parse(await box.inputValue())).toEqual((await console.recipes.find(recipeId))?.recipe);
    expect(page.complaints).toEqual([]);
  });
});

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

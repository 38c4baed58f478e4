import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { sleep } from "#shared/clock";
import { createTestSystem } from "#shared/testing";
import { ordersTeam } from "../../services/console/testing/orders-team.ts";
import { TcpProxy } from "../chaos/tcp-proxy.ts";
import type { Page } from "../support/browser/browser.ts";
import {
  logIn,
  STORY_MS,
  visitConsole,
  visitWard,
  writeValue,
} from "../support/browser/open-console-page.ts";
import { seedCases } from "../support/browser/seed-ward.ts";
import { startOwnRedis } from "../support/redis-servers.ts";

const story = { timeout: STORY_MS };
const GROUP = { fingerprint: "con-book/validation_error/0000aa" };
const GROUP_PLACE = `/inbox/group/${encodeURIComponent(GROUP.fingerprint)}`;

/** Ends the session that a page goes by, as its end of life would. */
async function endSession(page: Page, url: string): Promise<void> {
  const cookies = await page.tab.context().cookies(url);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const answer = await fetch(`${url}/v1/session`, { method: "DELETE", headers: { cookie, origin: url } });
  expect(answer.status).toBe(204);
}

const isLive = (page: Page) =>
  page
    .part("status")
    .and(page.tab.getByText("live", { exact: true }))
    .waitFor();

test(
  "an edit outlives a session that ends in its middle: it says so, and goes on after a login beside it",
  story,
  async () => {
    const { console, page, goTo } = await visitWard();
    const { case_id, run_id } = await console.admit({ zzz: "AB-1", amount: 1, note: "n" });
    await page.until(async () => (await console.store.cases.counts()).quarantined === 1, "it waits");
    await goTo(`/inbox/case/${case_id}`);
    await page.click("button", /^Edit and release/);
    await writeValue(page, { order_id: "AB-1", amount: 1, note: "n" });
    await page.reads("The contract takes this value.");
    await page.write(/^Why/, "zzz is the order");
    await endSession(page, console.url);
    await page.click("button", "Release this value");
    await page.reads("Your session has ended.");
    expect((await console.store.runs.get(run_id)).status).not.toBe("completed");
    expect(await page.part("textbox", /^Why/).inputValue()).toBe("zzz is the order");
    const beside = await page.beside();
    await beside.goTo(`${console.url}/login`);
    await logIn(beside, "operator");
    await page.click("button", "Release this value");
    expect((await console.system.until(run_id)).result).toEqual({ booked: "AB-1", amount: 1 });
  },
);

test("who is not logged in is led to the login, and back to the place they asked for", story, async () => {
  const { console, page } = await visitConsole("viewer");
  await endSession(page, console.url);
  const fresh = await page.beside();
  await fresh.goTo(`${console.url}/recipes?state=trial`);
  await fresh.write("API key", "viewer-secret-0123456789");
  await fresh.click("button", "Log in");
  await fresh.part("heading", "Recipes").waitFor();
  expect(fresh.tab.url()).toContain("/recipes?state=trial");
});

test(
  "a console that is away is told, what was typed stays, and the page comes back by itself",
  story,
  async () => {
    const { console, page } = await visitConsole("operator");
    await seedCases(console.store, 1, GROUP);
    const link = await TcpProxy.open(Number(new URL(console.url).port));
    onTestFinished(() => link.close());
    // A cookie is for a host, whatever the port.
    await page.goTo(`http://127.0.0.1:${link.port}${GROUP_PLACE}`);
    await page.click("button", /^Resolve/);
    await page.write(/^Why/, "export 5 mends it");
    link.misbehave("refuse");
    await page.click("button", "Resolve");
    await page.reads("The console does not answer. Nothing was changed that you do not see");
    expect(await page.part("textbox", /^Why/).inputValue()).toBe("export 5 mends it");
    link.mend();
    await isLive(page);
    await page.click("button", "Resolve");
    await page.reads("Resolved:");
  },
);

/** Time in which nothing happens, in ms. */
const IDLE_MS = 3000;

/** Returns how many bytes servers of this process have sent since this call, on connections that came after it. */
function countSent(): () => number {
  const sockets: Socket[] = [];
  const keep = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket);
  subscribe("net.server.socket", keep);
  onTestFinished(() => void unsubscribe("net.server.socket", keep));
  return () => sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
}

test(
  "eight tabs are live on one stream that costs next to nothing while nothing happens, and stay so when the tab that reads it is closed",
  story,
  async () => {
    const sent = countSent();
    const { console, page } = await visitConsole("operator");
    const tabs = [page];
    while (tabs.length < 8) {
      const tab = await page.beside();
      await tab.goTo(`${console.url}/inbox`);
      await isLive(tab);
      tabs.push(tab);
    }
    await seedCases(console.store, 1, GROUP);
    for (const tab of tabs.slice(1)) await tab.reads("con-book");
    const before = sent();
    await sleep(IDLE_MS);
    const perSecond = (sent() - before) / (IDLE_MS / 1000);
    expect(perSecond).toBeGreaterThan(0);
    expect(perSecond).toBeLessThan(2048);
    // The first one had the stream. What is done before another one has it, no event tells them: somebody else had it.
    const elsewhere = new AbortController();
    onTestFinished(() => elsewhere.abort());
    const bearer = { authorization: "Bearer viewer-secret-0123456789" };
    await fetch(`${console.url}/v1/events`, { headers: bearer, signal: elsewhere.signal });
    const seeded = Promise.withResolvers<void>();
    await page.tab.context().route("**/v1/events", async (route) => {
      await seeded.promise;
      await route.continue();
    });
    await page.tab.close();
    await seedCases(console.store, 1, {
      fingerprint: "con-spare/validation_error/000100",
      agent: "con-spare",
    });
    await sleep(IDLE_MS);
    seeded.resolve();
    for (const tab of tabs.slice(1)) {
      await tab.reads("con-spare");
      await isLive(tab);
      expect(tab.complaints).toEqual([]);
    }
  },
);

test(
  "a page that is opened while Redis is away says that it has no news, and is there when Redis is",
  story,
  async () => {
    const redis = await startOwnRedis();
    const system = createTestSystem(ordersTeam, { store: { url: redis.url } });
    const { console, page } = await visitConsole("operator", [], system);
    await seedCases(console.store, 1, GROUP);
    await redis.kill();
    const opened: Page[] = [];
    for (const place of ["/", "/inbox", GROUP_PLACE]) {
      const tab = await page.beside();
      await tab.goTo(console.url + place);
      opened.push(tab);
    }
    for (const tab of opened) await tab.reads("The console has no news.");
    await redis.revive();
    await page.until(async () => console.store.redis.status === "ready", "the console to reach its Redis");
    // A server that keeps nothing has lost it: it is written anew.
    await seedCases(console.store, 1, GROUP);
    for (const tab of opened) {
      await isLive(tab);
      await tab.reads("con-book");
      await tab.readsNoMore("has no news");
    }
  },
);

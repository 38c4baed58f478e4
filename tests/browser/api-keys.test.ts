import { describe, expect, test } from "vitest";
import { hasNoBrowser } from "../support/browser/open-browser.ts";
import { STORY_MS, visitConsole } from "../support/browser/open-console-page.ts";

describe.skipIf(hasNoBrowser)("the page of API keys, in a real browser", { timeout: STORY_MS }, () => {
  test("makes a key whose secret is shown once, and revokes it with a reason", async () => {
    const { console, page, goTo } = await visitConsole("admin");
    await goTo("#keys");
    await page.reads("No key was made here.");
    await page.write("Name", "shop");
    await page.write("Tenant", "acme");
    await page.write("Teams", "nobody");
    await page.click("button", "Make the key");
    await page.reads("/teams/0: no such team");
    await page.write("Teams", console.system.team.name);
    await page.write("Running runs", "2");
    await page.write("Why", "their shop opens");
    await page.click("button", "Make the key");
    await page.reads("The secret of acme/shop.");
    const secret = String(await page.tab.evaluate("document.querySelector('input.secret').value"));
    const seen = await console.send("/v1/session", {
      key: null,
      headers: { authorization: `Bearer ${secret}` },
    });
    // A key of ours, of a scope that may not look here.
    expect(seen.status).toBe(403);
    await page.reads("0 of 2 running runs");
    await page.click("button", "I have kept it");
    const html = (): Promise<unknown> => page.tab.evaluate("document.documentElement.outerHTML");
    await expect.poll(html, { timeout: 60_000 }).not.toContain(secret);
    await page.click("button", "Revoke acme/shop …");
    await page.click("button", "Revoke acme/shop");
    await page.reads("Say why first");
    await page.write("Why revoke acme/shop", "they left");
    await page.click("button", "Revoke acme/shop");
    await page.reads("No key was made here.");
  });
});

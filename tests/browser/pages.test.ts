import { describe, expect, test } from "vitest";
import { hasNoBrowser } from "../support/browser/browser.ts";
import { STORY_MS, visitConsole } from "../support/browser/open-console-page.ts";
import { startRealSurgeon } from "../support/operate-on.ts";
import { openModelSystem } from "../support/open-model-system.ts";
import { plainDesk, TEXT, ticket, TOKEN } from "../run-steps/desk-team.ts";

describe.skipIf(hasNoBrowser)("the page of handoffs, in a real browser", { timeout: STORY_MS }, () => {
  test("shows who may hand what to whom, and what became of it, as it happens", async () => {
    const { console, page, goTo } = await visitConsole("viewer");
    await goTo("#handoffs");
    await page.reads("con-orders");
    await page.reads("none ended");
    await page.part("region", "Handoffs: con-orders").waitFor();
    await page
      .part("img", /^States and transitions of con-orders: 2 agents, 0 transitions, from con-book/)
      .waitFor();
    await console.system.start({ ratesEveryMs: 20 });
    const order = { order_id: "AB-1", amount: 1, note: "" };
    await console.system.run(order);
    await page.reads("100 %");
    await console.admit({ order_id: 1, amount: "many" });
    await page.reads("50 %");
    expect(page.complaints).toEqual([]);
  });
});

describe.skipIf(hasNoBrowser)("the page of producers, in a real browser", { timeout: STORY_MS }, () => {
  test("shows who makes malformed outputs", async () => {
    const { console, page, goTo } = await visitConsole("operator");
    await goTo("#producers");
    await page.reads("Nothing was made in the last hour.");
    await console.system.start({ ratesEveryMs: 20 });
    await console.admit({ order_id: 1, amount: "many" });
    await goTo("#recipes");
    await goTo("#producers");
    await page.reads("1 of 1 producers made malformed outputs");
    await page.reads("gateway@1");
    expect(page.complaints).toEqual([]);
  });
});

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
    await expect.poll(html).not.toContain(secret);
    await page.click("button", "Revoke acme/shop …");
    await page.click("button", "Revoke acme/shop");
    await page.reads("Say why first");
    await page.write("Why revoke acme/shop", "they left");
    await page.click("button", "Revoke acme/shop");
    await page.reads("No key was made here.");
  });
});

const ORDER = { order_id: "A-1", amount: 12.5, note: "by wire" };

describe.skipIf(hasNoBrowser)(
  "a tool call that waits for a person, in a real browser",
  { timeout: STORY_MS },
  () => {
    test.each([
      ["Approve this call", "Approved: the agent goes on", { booked: "A-1", amount: 12.5 }],
      ["Refuse this call", "Refused: the agent goes on without it", { refused: "asked the customer" }],
    ])("%s, with a reason, and the agent goes on with that", async (button, said, result) => {
      const { console, page, goTo } = await visitConsole("operator");
      await console.system.start();
      startRealSurgeon(console);
      const waiting = await console.admit(ORDER);
      await goTo(`#case/${waiting.case_id}`);
      await page.reads("con-book asks before it runs wire");
      await page.reads('"amount": 12.5');
      expect(await page.text()).not.toContain("Release");
      await page.click("button", button);
      await page.reads("Say why first");
      await page.write("Why the call may run or may not", "asked the customer");
      await page.click("button", button);
      await page.reads(said);
      expect((await console.system.until(waiting.run_id)).result).toEqual(result);
      expect(page.complaints).toEqual([]);
    });
  },
);

/** Runs as script wherever it is taken for anything but text. */
const SCRIPT = "<img src=x onerror=document.title='taken'><script>document.title='taken'</script>";

describe.skipIf(hasNoBrowser)("the page of a run, in a real browser", { timeout: STORY_MS }, () => {
  test("shows what each step was sent and gave, and runs nothing of it", async () => {
    const { system, endpoint } = await openModelSystem(plainDesk);
    endpoint.behave = () => JSON.stringify({ queue: "parcels", writer: SCRIPT });
    const long = `${TEXT} ${"It rained all day long. ".repeat(600)}`;
    const { runId } = await system.submit(ticket({ text: long, colour: "emerald green" }));
    await system.until(runId);
    const { page, goTo } = await visitConsole("operator", [], system);
    await goTo(`#run/${runId}`);
    await page.reads("Model call of desk-front route");
    await page.reads("Handed on by desk-front to desk-back");
    const text = await page.text();
    expect(text).toContain("Instructions");
    expect(text).not.toContain(TOKEN);
    expect(text).toContain("onerror=document.title");
    // Cut values are fetched whole on demand.
    const before = await page.parts("button", "Show all of it");
    expect(before.length).toBeGreaterThan(0);
    await page.click("button", "Show all of it");
    await page.until(
      async () => (await page.parts("button", "Show all of it")).length === before.length - 1,
      "one value is whole",
    );
    expect(await page.tab.title()).not.toContain("taken");
    expect(page.complaints).toEqual([]);
    if (process.env["SUTURE_SCREENSHOTS"] !== undefined)
      await page.tab.screenshot({ path: process.env["SUTURE_SCREENSHOTS"], fullPage: true });
  });
});

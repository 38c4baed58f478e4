import { describe, expect, test } from "vitest";
import { hasNoBrowser } from "../support/browser/open-browser.ts";
import { STORY_MS, visitConsole } from "../support/browser/open-console-page.ts";

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
    await console.system.start({ circuitsEveryMs: 20 });
    const order = { order_id: "AB-1", amount: 1, note: "" };
    const { runId } = await console.system.submit(order);
    await console.system.until(runId);
    await page.reads("100 %");
    await console.admit({ order_id: 1, amount: "many" });
    await page.reads("50 %");
    expect(page.complaints).toEqual([]);
  });
});

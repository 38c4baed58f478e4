import { describe, expect, test } from "vitest";
import { loadTeams } from "#shared/runtime/process";
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

  test("draws a team as its states and the transitions between them, ways back and failures apart", async () => {
    const teams = (await loadTeams("services/agents")).filter(({ name }) => name === "editorial");
    const { console, page, goTo } = await visitConsole("viewer", teams);
    await console.store.circuits.report({
      by: "test",
      outputs: new Map(),
      handoffs: new Map([
        ["f|fiction-editing|story-analysis|analysis_request|editorial.analysis-request@2", 2],
      ]),
      circuits: [],
    });
    await goTo("#handoffs");
    await page
      .part("img", /^States and transitions of editorial: 6 agents, 7 transitions, from editorial-desk/)
      .waitFor();
    const ways = (kind: string): Promise<unknown> =>
      page.tab.evaluate(
        `[...document.querySelectorAll(".machine ${kind} title")].map((one) => one.textContent)`,
      );
    expect(await ways(".way")).toHaveLength(7);
    expect(await ways(".way.return")).toEqual([
      "story-analysis to fiction-editing: analysis_result (editorial.manuscript@3), 0 done, 0 failed",
      "electronics to general-project: component_design_result (editorial.project@4), 0 done, 0 failed",
    ]);
    expect(await ways(".way.failed")).toEqual([
      "fiction-editing to story-analysis: analysis_request (editorial.analysis-request@2), 0 done, 2 failed",
    ]);
    // No two states lie on each other.
    const places = await page.tab.evaluate(
      `[...document.querySelectorAll("[aria-label^='States and transitions of editorial'] rect")].map((one) => one.getAttribute("x") + "/" + one.getAttribute("y"))`,
    );
    expect(new Set(places as string[]).size).toBe(6);
    expect(page.complaints).toEqual([]);
  });

  test("says what was sent that no team declares", async () => {
    const { console, page, goTo } = await visitConsole("viewer");
    await console.store.circuits.report({
      by: "test",
      outputs: new Map(),
      handoffs: new Map([["d|elsewhere|con-book|task_delegation|con.order@1", 3]]),
      circuits: [],
    });
    await goTo("#handoffs");
    await page.reads("Declared by no team loaded here");
    await page.reads("elsewhere");
    expect(page.complaints).toEqual([]);
  });
});

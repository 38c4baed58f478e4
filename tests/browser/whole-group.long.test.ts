import { expect, test } from "vitest";
import { findCases } from "#shared/ward";
import { STORY_MS, visitConsole } from "../support/browser/open-console-page.ts";
import { startRealSurgeon } from "../support/operate-on.ts";

/** Of one kind. */
const MESSAGES = 5000;
/** Submitted side by side. */
const AT_A_TIME = 100;

test(
  "a whole group is healed by the recipe of one repair: dry run, canary, the page closed in between, each once",
  { timeout: 2 * STORY_MS },
  async () => {
    const { console, page, goTo } = await visitConsole("operator");
    const { system, store } = console;
    await system.start();
    const runs: string[] = [];
    while (runs.length < MESSAGES) {
      const some = Array.from({ length: AT_A_TIME }, (_, i) => ({
        zzz: `AB-${runs.length + i}`,
        amount: 1,
        note: "",
      }));
      runs.push(...(await Promise.all(some.map((one) => system.submit(one)))).map(({ runId }) => runId));
    }
    startRealSurgeon(console);
    const waiting = async (): Promise<number> => (await store.cases.counts()).quarantined;
    const patient = { timeout: STORY_MS, interval: 500 };
    await expect.poll(waiting, patient).toBe(MESSAGES);
    const { cases } = await findCases(store, { filter: { run_id: runs[0] ?? "" }, limit: 1 });
    const payload = { order_id: "AB-0", amount: 1, note: "" };
    const why = "zzz is the order";
    const first = await console.post(`/v1/ward/cases/${cases[0]?.case_id}/release`, { why, payload });
    expect(first.status).toBe(202);
    await page.until(async () => (await console.recipes.list()).length === 1, "a recipe is learned");
    const [group] = await store.cases.groups.list({ offset: 0, limit: 1 });
    const place = `/inbox/group/${encodeURIComponent(group?.fingerprint ?? "")}`;
    await goTo(place);
    await page.click("button", /^Apply to all/);
    await page.write("First few, then a look", "20", "spinbutton");
    await page.write("Cases a second", "1000", "spinbutton");
    await page.write(/^Why/, "the recipe of one");
    await page.click("button", "Plan (dry run)");
    await page.click("button", /^Start with the first 20/);
    await page.part("button", /^Go on with the other/).click();
    await page.tab.close();
    await expect.poll(waiting, patient).toBe(0);
    for (const runId of runs) expect((await system.until(runId)).status).toBe("completed");
    const booked = new Set<unknown>();
    for (const runId of runs) booked.add(JSON.stringify((await store.runs.get(runId)).result));
    expect(booked.size).toBe(MESSAGES);
    expect((await store.runs.counts()).completed).toBe(MESSAGES);
  },
);

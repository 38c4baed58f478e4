import { describe, expect, onTestFinished, test } from "vitest";
import { setClock } from "#shared/clock";
import { hasNoBrowser } from "../support/browser/open-browser.ts";
import { STORY_MS, visitConsole } from "../support/browser/open-console-page.ts";
import { seedCases } from "../support/browser/seed-ward.ts";

const HOUR_MS = 3_600_000;

/** As the test console is told; the case and the group may cost more, so that the hour decides. In micro-USD. */
const LIMITS = {
  caseMicroMax: 9_000_000,
  hourMicroMax: 5_000_000,
  tenantMicroMax: 5_000_000,
  groupMicroMax: 9_000_000,
};

describe.skipIf(hasNoBrowser)("the page of producers, in a real browser", { timeout: STORY_MS }, () => {
  test("shows who makes malformed outputs, and has a circuit opened and closed by hand with a reason", async () => {
    const { console, page, goTo } = await visitConsole("operator");
    await goTo("#producers");
    await page.reads("No agent has worked in the last week");
    await console.system.start({ circuitsEveryMs: 20 });
    await console.admit({ order_id: 1, amount: "many" });
    await page.reads("1 of 1 producers made malformed outputs");
    await page.reads("gateway@1");
    await page.reads("50 % of at least 20 outputs in 5 minutes; trial after 1 minute with 10 % of its work");
    await page.click("button", "Open con-book");
    await page.reads("Say why first");
    await page.write("Why, for the circuit of con-book", "a bad release");
    await page.click("button", "Open con-book");
    await page.reads("olga opened it. It stays open until somebody closes it.");
    await page.reads("A circuit is open: con-book (open: alert).");
    await page.write("Why, for the circuit of con-book", "rolled back");
    await page.click("button", "Close con-book");
    await page.part("button", "Open con-book").waitFor();
    expect(await console.store.circuits.find("con-book")).toMatchObject({ state: "closed", held_by: null });
    await page.readsNoMore("A circuit is open");
    expect(page.complaints).toEqual([]);
  });

  test("refuses to close a circuit that somebody has closed and opened since, and says so", async () => {
    const { console, page, goTo } = await visitConsole("operator");
    await console.system.start({ circuitsEveryMs: 20 });
    await console.admit({ order_id: 1, amount: "many" });
    const set = (to: "open" | "close"): Promise<Response> =>
      console.post(`/v1/circuits/con-book/${to}`, { why: "a test" });
    await goTo("#producers");
    await page.part("button", "Open con-book").waitFor();
    await page.write("Why, for the circuit of con-book", "bad");
    await set("open");
    await page.reads("This was changed while you were writing.");
    expect((await console.post("/v1/circuits/con-book/close", { why: "x", version: 0 })).status).toBe(409);
    expect(await console.store.circuits.find("con-book")).toMatchObject({ state: "open", held_by: "ada" });
  });

  test("says on every page that the hour's money is spent, and until when cases wait", async () => {
    // A minute after a full hour: money is spent by the hour, and this one must not end in between.
    const aheadMs = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 60_000 - Date.now();
    onTestFinished(setClock({ now: () => Date.now() + aheadMs }));
    const { console, page, goTo } = await visitConsole("viewer");
    const [caseId = ""] = await seedCases(console.store, 2, {
      fingerprint: "con-book/parse_error/01",
      status: "admitted",
    });
    await page.reads("Surgery $0.00 of $5.00 this hour, $5.00 left");
    const ask = (micro: number) =>
      console.store.cases.costs.reserve({
        caseId,
        fingerprint: "con-book/parse_error/01",
        tenant: "local",
        micro,
        limits: LIMITS,
      });
    expect(await ask(4_900_000)).toMatchObject({ kind: "reserved" });
    expect(await ask(200_000)).toMatchObject({ kind: "hour" });
    await page.reads("The limit of $5.00 an hour holds cases back.");
    await page.reads("2 cases in the ward wait for the surgeon.");
    await page.reads("Surgery $4.90 of $5.00 this hour, $0.10 left");
    await goTo("#groups");
    await page.reads("The limit of $5.00 an hour holds cases back.");
    await page.part("combobox", /^Sorted by/).selectOption("cost");
    await page.reads("$4.90 of $5.00");
    const told = await (await console.send("/v1/ward/costs", { key: "viewer" })).json();
    expect(told).toMatchObject({ this_hour: 4.9, held: { refusals: 1 }, limits: { cost_per_hour: 5 } });
  });
});

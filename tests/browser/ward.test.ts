import { expect, test } from "vitest";
import { openAttachedOrders } from "../../services/console/testing/open-attached-orders.ts";
import type { TestConsole } from "../../services/console/testing/start-test-console.ts";
import {
  doWithReason,
  STORY_MS,
  visitConsole,
  visitWard,
  writeValue,
} from "../support/browser/open-console-page.ts";
import { seedCases } from "../support/browser/seed-ward.ts";

const story = { timeout: STORY_MS };

/** A dead message that first aid cannot repair: what the member is called says nothing. */
const unclear = (n: number): unknown => ({ zzz: `AB-${n}`, amount: n, note: "for Jörg Müller" });

const quarantined = async ({ store }: TestConsole): Promise<number> =>
  (await store.cases.counts()).quarantined;

test(
  "one case by hand: found by the customer's name, repaired with ten keys at most, and its recipe heals its like",
  story,
  async () => {
    const { console, page, goTo } = await visitWard();
    const first = await console.admit(unclear(1));
    const second = await console.admit(unclear(2));
    await page.until(async () => (await quarantined(console)) === 2, "both wait for a person");
    await goTo("/");
    await page.reads("1 thing needs you");
    await page.tab.keyboard.press("Control+k");
    await page.tab.keyboard.type("müller");
    await page.part("option", /^run .*in.*/).waitFor();
    await page.part("option", new RegExp(`^run ${first.run_id.slice(-8)}`)).click();
    await page.reads("Its cases");
    await page.part("link", first.case_id.slice(-8)).click();
    await page.reads("con-book: /order_id is missing");
    // From here on with keys alone.
    await page.tab.keyboard.press("e");
    await writeValue(page, { order_id: "AB-1", amount: 1, note: "for Jörg Müller" });
    await page.reads("The contract takes this value.");
    await page.write(/^Why/, "zzz is the order");
    await page.tab.keyboard.press("Control+Enter");
    await page.reads("Your value is released");
    expect((await console.system.until(first.run_id)).result).toEqual({ booked: "AB-1", amount: 1 });
    await page.until(async () => (await console.recipes.list()).length === 1, "a recipe is learned");
    await page.reads("recipe.learn");
    await goTo("/recipes");
    await page.reads("/zzz");
    await console.post(`/v1/ward/cases/${second.case_id}/operate`, { why: "by the recipe" });
    expect((await console.system.until(second.run_id)).result).toEqual({ booked: "AB-2", amount: 2 });
    expect(page.complaints).toEqual([]);
  },
);

test(
  "an invented value that the contract refuses cannot be sent, and a change of a locked field is named",
  story,
  async () => {
    const { console, page, goTo } = await visitWard();
    const { case_id, run_id } = await console.admit(unclear(1));
    await page.until(async () => (await quarantined(console)) === 1, "it waits for a person");
    await goTo(`/inbox/case/${case_id}`);
    await page.click("button", /^Edit and release/);
    await writeValue(page, { order_id: "x", amount: 1, note: "" });
    const send = page.part("button", "Release this value");
    await page.until(() => send.isDisabled(), "what the contract refuses cannot be sent");
    await writeValue(page, { order_id: "AB-1", amount: 999, note: "" });
    await page.reads("Locked for procedures, in your name: /amount");
    expect((await console.store.runs.get(run_id)).status).not.toBe("completed");
    expect(await quarantined(console)).toBe(1);
  },
);

test(
  "what was proposed is read beside the original, turned down, and goes out once it is signed",
  story,
  async () => {
    const { console, page, goTo } = await visitWard();
    const { case_id, run_id } = await console.admit(unclear(1));
    await page.until(async () => (await quarantined(console)) === 1, "it waits for a person");
    const payload = { order_id: "AB-1", amount: 1, note: "for Jörg Müller" };
    const body = { decision: "release", payload, why: "<i>zzz</i> is the order" };
    const propose = () => console.post(`/v1/ward/cases/${case_id}/propose`, body, { key: "operator" });
    expect((await propose()).status).toBe(200);
    await goTo(`/inbox/case/${case_id}`);
    await page.reads("olga proposed a repair, which the contract takes");
    await page.reads("<i>zzz</i> is the order Nothing goes out before you sign it.");
    await page.tab.getByText("Proposed by olga").waitFor();
    await page.click("button", "Turn down");
    await page.write(/^Why/, "not yet");
    await page.tab.keyboard.press("Control+Enter");
    await page.reads("Turned down");
    await page.readsNoMore("Nothing goes out before you sign it.");
    await propose();
    await page.reads("Nothing goes out before you sign it.");
    await page.click("button", /^Sign the release/);
    await page.write(/^Why/, "the mail says so");
    await page.tab.keyboard.press("Control+Enter");
    await page.reads("Approved.");
    expect((await console.system.until(run_id)).result).toEqual({ booked: "AB-1", amount: 1 });
    expect(page.complaints).toEqual([]);
  },
);

test("a cause note is text, and a rehearsal says that it has none", story, async () => {
  const { console, page, goTo } = await visitWard();
  const { fingerprint, case_id } = await console.admit(unclear(1));
  await goTo(`/inbox/group/${encodeURIComponent(fingerprint)}`);
  await page.click("button", "Write a cause note");
  await page.part("dialog", "Write a cause note").getByRole("button", { name: "Write a cause note" }).click();
  await page.reads("This is a rehearsal");
  const hostile = "<img src=x onerror=alert(1)>{{7*7}}";
  const text = { what_goes_wrong: hostile, since_when: hostile, change_in: "code", change: hostile } as const;
  const rest = { by: "olga", at: "2026-01-01T00:00:00.000Z", problem: null, model: "m", cost: 0.01 };
  const note = { state: "written" as const, text, examples: [case_id], ...rest };
  await console.store.cases.causeNotes.set(fingerprint, note);
  await goTo(`/inbox/group/${encodeURIComponent(fingerprint)}`);
  await page.reads("What to change in the code");
  await page.reads(hostile);
  await page.part("button", "Copy as an issue").waitFor();
  expect(page.complaints).toEqual([]);
});

test("a bulk discard is planned, tried, gone on with from another page, and undone", story, async () => {
  const { console, page, goTo } = await visitWard();
  let fingerprint = "";
  for (let n = 0; n < 5; n += 1) ({ fingerprint } = await console.admit(unclear(n)));
  await page.until(async () => (await quarantined(console)) === 5, "all wait for a person");
  const place = `/inbox/group/${encodeURIComponent(fingerprint)}`;
  await goTo(place);
  await page.click("button", /^Apply to all/);
  await page.part("combobox", "Decision").selectOption("discard");
  await page.write("First few, then a look", "2", "spinbutton");
  await page.write(/^Why/, "a test of ours");
  await page.click("button", "Plan (dry run)");
  await page.click("button", /^Start with the first 2/);
  await page.until(async () => (await quarantined(console)) === 3, "two are discarded");
  const later = await page.beside();
  await page.tab.close();
  await later.goTo(console.url + place);
  await later.click("button", /^Go on with the other 3/);
  await later.until(async () => (await console.store.cases.counts()).discarded === 5, "all are");
  await doWithReason(later, /^Undo this discard/, "we need them after all");
  await later.until(async () => (await quarantined(console)) === 5, "all wait again");
  expect(later.complaints).toEqual([]);
});

test(
  "a group is acknowledged and resolved in a version; what another has changed meanwhile is told, and nothing done",
  story,
  async () => {
    const { console, page, goTo } = await visitConsole("operator");
    const fingerprint = "con-spare/parse_error/0000cc";
    await seedCases(console.store, 2, { fingerprint });
    await goTo(`/inbox/group/${encodeURIComponent(fingerprint)}`);
    await page.click("button", /^Resolve/);
    await page.write(/^From this version on/, "export@5");
    await page.write(/^Why/, "export 5 mends it");
    await console.post(`/v1/ward/groups/${encodeURIComponent(fingerprint)}/acknowledge`, { why: "mine" });
    await page.reads("This was changed while you were writing");
    await page.click("button", "Resolve");
    await page.reads(/changed by ada/);
    expect(await console.store.cases.groups.find(fingerprint)).toMatchObject({ lifecycle: "acknowledged" });
    await page.click("button", "I have looked");
    expect(await page.part("textbox", /^Why/).inputValue()).toBe("export 5 mends it");
    await page.click("button", "Resolve");
    await page.reads("Resolved:");
    expect(await console.store.cases.groups.find(fingerprint)).toMatchObject({
      lifecycle: "resolved",
      resolution: { by: "olga", since: { name: "export", version: 5 } },
    });
  },
);

test(
  "jobs of an attached queue stand in the same pages, one is sent back with its value, and a viewer only looks",
  story,
  async () => {
    const orders = openAttachedOrders();
    await orders.fail({ order: "o1", amount: "12", paid: true, card: "4539578763621486" });
    const { page, goTo, enter, console } = await visitConsole("operator", [], undefined, orders.attached);
    await goTo(`/inbox/case/${encodeURIComponent("bullmq:orders:1")}`);
    await page.reads("unsealed");
    expect(await page.text()).not.toContain("4539578763621486");
    await page.click("button", /^Send back with its repair/);
    await page.write(/^Why/, "it was text");
    await page.part("checkbox", /effects may be repeated/).check();
    await page.click("button", "Send back with its repair");
    await page.until(async () => (await orders.queue.getJobState("1")) === "waiting", "the job goes back");
    expect((await orders.queue.getJob("1"))?.data).toMatchObject({ amount: 12 });
    const viewer = await enter("viewer");
    await viewer.goTo(`${console.url}/queues`);
    await viewer.reads("orders");
    expect([page.complaints, viewer.complaints]).toEqual([[], []]);
  },
);

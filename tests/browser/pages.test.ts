import { expect, test } from "vitest";
import { startTestGateway } from "../../services/gateway/testing/start-test-gateway.ts";
import {
  doWithReason,
  STORY_MS,
  TRACE_URL,
  visitConsole,
  visitWard,
  writeValue,
} from "../support/browser/open-console-page.ts";
import { seedCases } from "../support/browser/seed-ward.ts";
import { openModelSystem } from "../support/open-model-system.ts";
import { plainDesk, TEXT, ticket, TOKEN } from "../run-steps/desk-team.ts";

const story = { timeout: STORY_MS };
const ORDER = { order_id: "A-1", amount: 12.5, note: "by wire" };

test(
  "a run is followed live, and each step shows what it was sent and gave, whole where it was cut",
  story,
  async () => {
    const { system, endpoint } = await openModelSystem(plainDesk);
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    endpoint.behave = () => JSON.stringify({ queue: "parcels", writer: "somebody" });
    const { page, goTo } = await visitConsole("operator", [], system);
    const long = `${TEXT} ${"It rained all day long. ".repeat(600)}`;
    await goTo("/runs");
    await page.reads("There is no such run here.");
    const { runId } = await system.submit(ticket({ text: long, colour: "emerald green" }));
    await page.reads(runId.slice(-4));
    await goTo(`/runs/${runId}`);
    await system.until(runId);
    await page.reads("completed");
    const { trace_id: traceId } = await system.store.runs.get(runId);
    const link = page.part("link", /^open/);
    expect(await link.getAttribute("href")).toBe(TRACE_URL.replace("{trace_id}", traceId));
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
    answer();
    await answered;
    await page.click("button", /^desk-front/);
    await page.reads("Model call of desk-front route");
    const text = await page.text();
    expect(text).not.toContain(TOKEN);
    const before = await page.parts("button", "Show all of it");
    expect(before.length).toBeGreaterThan(0);
    await page.click("button", "Show all of it");
    await page.until(
      async () => (await page.parts("button", "Show all of it")).length < before.length,
      "one step is whole",
    );
    const way = page.tab.locator(".react-flow__node");
    await page.until(async () => (await way.count()) >= 2, "its way is drawn");
    await way.nth(1).click();
    await page.until(async () => page.tab.url().includes("message="), "its message is open");
    expect(page.complaints).toEqual([]);
  },
);

test.each([
  ["/runs", "Status", "failed"],
  ["/inbox", "Needs", "waiting"],
])(
  "filters are kept under a name in this browser, opened after a reload, and deleted: %s",
  story,
  async (place, choice, value) => {
    const { console, page, goTo } = await visitConsole("viewer");
    const open = () => page.tab.getByText(/^Saved views/).click();
    await goTo(place);
    await page.part("combobox", choice).selectOption(value);
    await page.until(async () => page.tab.url().includes(value), "the address says it");
    await open();
    await page.write("Name of the view", "<b>mine</b>");
    await page.click("button", "Save this view");
    await page.reads("Saved views (1)");
    await goTo(place);
    expect(page.tab.url()).toBe(console.url + place);
    await open();
    await page.click("button", "<b>mine</b>");
    await page.until(async () => page.tab.url().includes(value), "the view is open");
    expect(await page.part("combobox", choice).inputValue()).toBe(value);
    await page.click("button", "Delete the view <b>mine</b>");
    await page.reads("Saved views (0)");
    await page.tab.evaluate(
      `localStorage.setItem("suture.views${place.replace("/", ".")}", '{"a":1,"b":{"text":[]}}')`,
    );
    await goTo(place);
    await page.reads("Saved views (0)");
    await page.tab.evaluate(`Storage.prototype.setItem = () => { throw new Error("full"); }`);
    await open();
    await page.write("Name of the view", "one more");
    await page.click("button", "Save this view");
    await page.reads("This browser keeps nothing for this page");
    await page.reads("Saved views (0)");
    expect(page.complaints).toEqual([]);
  },
);

test("an agent is paused with a reason from its page, and goes on when it is resumed", story, async () => {
  const { console, page, goTo } = await visitConsole("operator");
  await console.system.start();
  await goTo("/agents/con-book");
  await doWithReason(page, /^Pause/, "their bank is away");
  await page.reads("paused");
  const { runId } = await console.system.submit({ order_id: "AB-1", amount: 1, note: "" });
  const depth = async () => (await console.store.queues.depth("con-book", "fresh")).waiting;
  await page.until(async () => (await depth()) === 1, "its message waits");
  await doWithReason(page, /^Resume/, "it is back");
  expect((await console.system.until(runId)).status).toBe("completed");
  await goTo("/audit");
  await page.reads("their bank is away");
  expect(page.complaints).toEqual([]);
});

test(
  "a key is made, its secret shown once, and revoked with a reason; a viewer sees no such form",
  story,
  async () => {
    const { console, page, goTo, enter } = await visitConsole("admin");
    await goTo("/settings");
    await page.reads("No key was made here.");
    await page.write("Name", "no such name");
    await page.write("Tenant", "acme");
    await page.write(/^Why/, "their shop opens");
    await page.click("button", "Make the key");
    await page.reads(/name/);
    await page.write("Name", "shop");
    await page.click("button", "Make the key");
    const secret = await page.part("textbox", "Secret of acme/shop").inputValue();
    // A key of ours, of a scope that may not look here.
    const headers = { authorization: `Bearer ${secret}` };
    expect((await console.send("/v1/session", { key: null, headers })).status).toBe(403);
    await page.click("button", "I have kept it");
    await expect.poll(() => page.parts("textbox", "Secret of acme/shop")).toEqual([]);
    expect(await page.tab.content()).not.toContain(secret);
    await doWithReason(page, /^Revoke acme\/shop/, "they left");
    await page.reads("No key was made here.");
    const viewer = await enter("viewer");
    await viewer.goTo(`${console.url}/settings`);
    await viewer.part("heading", "Settings").waitFor();
    expect(await viewer.parts("button", "Make the key")).toEqual([]);
  },
);

test.each([
  ["Approve this call", { booked: "A-1", amount: 12.5 }],
  ["Refuse this call", { refused: "asked the customer" }],
])("a tool call waits for a person, who decides with a reason: %s", story, async (button, result) => {
  const { console, page, goTo } = await visitWard();
  const waiting = await console.admit(ORDER);
  await goTo(`/inbox/case/${waiting.case_id}`);
  await page.reads("con-book asks to run wire");
  await page.click("button", new RegExp(`^${button}`));
  await page.write(/^Why/, "asked the customer");
  await page.click("button", button);
  expect((await console.system.until(waiting.run_id)).result).toEqual(result);
  expect(page.complaints).toEqual([]);
});

test(
  "a step is run again from its page with an edited value, as a new run, and its faults stand at their places",
  story,
  async () => {
    const { console, page, goTo } = await visitConsole("operator");
    await console.system.start();
    await startTestGateway({ system: console.system });
    const { runId } = await console.system.submit({ order_id: "AB-1", amount: 12, note: "" });
    await console.system.until(runId);
    await goTo(`/runs/${runId}`);
    await page.click("button", /^con-book/);
    await page.click("button", /^Run again from here/);
    const type = (amount: number): Promise<void> =>
      writeValue(page, { order_id: "AB-1", amount, note: "" }, /^Value to run again with/);
    await type(5000);
    await page.write(/^Why/, "the amount was wrong");
    await page.click("button", "Run again");
    await page.reads("/data_payload/amount");
    expect(await page.tab.locator(".wrong").innerText()).toMatch(/5000.*Too big/s);
    await type(15);
    await page.tab.keyboard.press("Control+Enter");
    await page.until(async () => !page.tab.url().includes(runId), "the new run is shown");
    const begun = page.tab.url().split("/").at(-1) ?? "";
    expect((await console.system.until(begun)).result).toEqual({ booked: "AB-1", amount: 15 });
    expect((await console.store.runs.get(runId)).result).toEqual({ booked: "AB-1", amount: 12 });
    expect(page.complaints).toEqual([]);
  },
);

test.each([
  ["an hour", (now: Date) => now.getTime() + 3_600_000],
  ["until tomorrow, 9:00", (now: Date) => new Date(now).setHours(33, 0, 0, 0)],
])(
  "a group is looked after for a time that stays chosen while messages come: %s",
  story,
  async (label, endAfter) => {
    const { console, page, goTo } = await visitConsole("operator");
    const fingerprint = "con-spare/parse_error/0000cc";
    await seedCases(console.store, 2, { fingerprint });
    await goTo(`/inbox/group/${encodeURIComponent(fingerprint)}`);
    await page.click("button", /^Acknowledge/);
    await page.part("combobox", "For").selectOption({ label });
    await seedCases(console.store, 3, { fingerprint });
    await page.reads("of 5 open cases");
    const from = endAfter(new Date());
    await page.click("button", "Acknowledge");
    await page.reads("Looked after until");
    const { acknowledged_until_ms: untilMs = null } =
      (await console.store.cases.groups.find(fingerprint)) ?? {};
    expect(untilMs).toBeGreaterThanOrEqual(from);
    expect(untilMs).toBeLessThanOrEqual(endAfter(new Date()));
    expect(page.complaints).toEqual([]);
  },
);

import { expect, test } from "vitest";
import { startTestConsole, waitFor } from "../services/console/testing/start-test-console.ts";
import type { CaseView } from "../services/console/ward/view-case.ts";
import { repairWith } from "../services/surgeon/testing/surgeon-test-system.ts";
import { openSurgeonAndConsole } from "./support/open-surgeon-and-console.ts";
import { startRealSurgeon } from "./support/start-real-surgeon.ts";

const KEY = "sk-live-4f9a8b7c6d5e4f3a2b1c";

test("shows no secret that a model wrote into a refused repair or its reason, on any route", async () => {
  const system = await openSurgeonAndConsole();
  const { console, endpoint, startSurgeon, untilCase } = system;
  startSurgeon();
  endpoint.answer = () => ({
    ...repairWith({ order_id: "A-1234", seats: 2, account: KEY }),
    reason: `The key ${KEY} opens it; the password: hunter2hunter2.`,
  });
  const { runId } = await system.submit({ order_id: "A-1234", seats: "many" });
  const { case_id } = await untilCase(runId, ({ status }) => status === "quarantined");
  const path = `/v1/ward/cases/${case_id}`;
  const text = await (await console.send(path)).text();
  // The view's own form.
  const { repair } = JSON.parse(text) as CaseView;
  expect(repair).toMatchObject({ outcome: "objected", value: { account: "[secret]" } });
  expect(repair?.said).toContain("[secret]");
  expect(text).not.toMatch(/sk-live|hunter2/);
  for (const route of ["/v1/ward/cases", "/v1/ward/groups", "/v1/audit"])
    expect(await (await console.send(route)).text(), route).not.toMatch(/sk-live|hunter2/);
  // Nobody sends the mask in the secret's place by taking the proposal over somewhere else.
  const moved = { order_id: "A-1234", seats: 2, account: "x [secret]" };
  expect(await (await console.post(`${path}/check`, { payload: moved })).json()).toMatchObject({
    acceptable: false,
    issues: [{ path: "/account", code: "masked_secret" }],
  });
});

test("masks a secret in a message, and lets an edit go on with it where its mask was left", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const { case_id, run_id } = await console.admit({ order_id: KEY, amount: 12.5, note: 7 });
  const path = `/v1/ward/cases/${case_id}`;
  // The view's own form.
  const seen = (await (await console.send(path)).json()) as CaseView;
  expect(seen.original?.text).toBe('{"order_id":"[secret]","amount":12.5,"note":7}');
  const payload_text = '{"order_id":"[secret]","amount":12.5,"note":"a lamp"}';
  const checked = await console.post(`${path}/check`, { payload_text });
  const answer = await checked.text();
  expect(JSON.parse(answer)).toMatchObject({ acceptable: true, issues: [] });
  expect(answer).not.toContain(KEY);
  expect((await console.post(`${path}/release`, { payload_text, why: "asked" })).status).toBe(202);
  startRealSurgeon(console);
  // The agent was given the value, not its mask.
  expect(await console.system.until(run_id)).toMatchObject({ status: "completed", result: { booked: KEY } });
});

test("masks secrets on the raw queue page too, in every message of every run", async () => {
  const console = await startTestConsole();
  // Nobody takes it: it lies in its queue.
  await console.system.submit({ order_id: KEY, amount: 1, note: "the customer's words" });
  const jobs = await waitFor(async () => {
    const query = "activeQueue=con-book&status=latest&page=1&jobsPerPage=10";
    const text = await (await console.send(`/queues/api/queues?${query}`, { key: "operator" })).text();
    return text.includes("the customer's words") && text;
  });
  expect(jobs).toContain("[secret]");
  expect(jobs).not.toContain(KEY);
});

import { expect, test } from "vitest";
import type { Batch } from "#shared/ward/batches";
import { SECRETS, startTestConsole, waitFor } from "../services/console/testing/start-test-console.ts";
import type { CaseView } from "../services/console/ward/view-case.ts";
import { runCli } from "./support/run-cli.ts";
import { startRealSurgeon } from "./support/start-real-surgeon.ts";

const GOOD = { order_id: "A-1", amount: 12.5, note: "a lamp" };

test("takes an edited payload of every size that a message may have, with its digits as typed", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const long = "a lamp ".repeat(8500);
  const { case_id, run_id } = await console.admit({ order_id: long, amount: 12.5, note: 7 });
  const path = `/v1/ward/cases/${case_id}`;
  const payload_text = `{"order_id":${JSON.stringify(long)},"amount":12.50,"note":${JSON.stringify(long)}}`;
  expect(payload_text.length).toBeGreaterThan(110_000);
  const checked = await console.post(`${path}/check`, { payload_text });
  expect({ status: checked.status, body: await checked.json() }).toMatchObject({
    status: 200,
    body: { acceptable: true },
  });
  // Nearly a megabyte is read too, and refused by its contract at the place, not by its size.
  const huge = JSON.stringify({
    ...GOOD,
    surplus: Array.from({ length: 12 }, () => 'a "lamp" '.repeat(7000)),
  });
  const refused = await console.post(`${path}/check`, { payload_text: huge });
  expect({ status: refused.status, body: await refused.json() }).toMatchObject({
    status: 200,
    body: { acceptable: false },
  });
  // One string that no envelope takes is named where it stands.
  const bound = await console.post(`${path}/check`, { payload: { ...GOOD, note: "x ".repeat(40_000) } });
  expect(await bound.json()).toMatchObject({ issues: [{ path: "/note", code: "string_too_long" }] });
  expect((await console.post(`${path}/release`, { payload_text, why: "asked" })).status).toBe(202);
  startRealSurgeon(console);
  expect((await console.system.until(run_id)).status).toBe("completed");
});

test("undoes a discard of a whole group in one act, and tells what it can no longer undo", async () => {
  const console = await startTestConsole();
  await console.system.start();
  startRealSurgeon(console);
  const made = [1, 2, 3].map((n) => console.admit({ ...GOOD, order_id: null, surplus: `x${n}` }));
  const messages = await Promise.all(made);
  const fingerprint = encodeURIComponent(messages[0]?.fingerprint ?? "");
  const counts = async () => console.store.cases.counts();
  await waitFor(async () => (await counts()).quarantined === 3);
  const batch = async (id: string): Promise<Batch> =>
    (await console.send(`/v1/ward/applies/${id}`)).json() as Promise<never>;
  const body = { decision: "discard", why: "spam", canary: 0, rate_per_second: 1000 };
  const planned = await console.post(`/v1/ward/groups/${fingerprint}/apply`, body);
  const { batch_id } = (await planned.json()) as Batch;
  const undo = (id: string) => console.post(`/v1/ward/applies/${id}/undo`, { why: "no spam" });
  await waitFor(async () => (await batch(batch_id)).state === "planned");
  await console.post(`/v1/ward/applies/${batch_id}/start`, {});
  await waitFor(async () => (await counts()).discarded === 3);
  for (const { run_id } of messages) expect((await console.system.until(run_id)).status).toBe("failed");
  const to = ["--console-url", console.url, "--key", SECRETS.operator];
  const said = await runCli(["ward", "undo", batch_id, "--why", "it was no spam", ...to]);
  expect(said).toMatchObject({ code: 0, stderr: "" });
  expect(said.stdout).toContain("restores 3 cases");
  await waitFor(async () => (await counts()).quarantined === 3);
  // Their runs wait for them again.
  for (const { run_id } of messages)
    expect((await console.store.runs.get(run_id)).status).toBe("quarantined");
  const { applies } = (await (await console.send("/v1/ward/applies")).json()) as { applies: Batch[] };
  const undone = applies.find(({ undoes }) => undoes === batch_id);
  expect(undone).toMatchObject({ decision: "restore", by: "olga", total: 3 });
  await waitFor(async () => (await batch(undone?.batch_id ?? "")).left_behind === 3);
  const { audit } = (await (await console.send(`/v1/ward/groups/${fingerprint}`)).json()) as CaseView;
  expect(audit[0]).toMatchObject({ action: "group.undo", by: "olga", why: "it was no spam" });
  // What a person discards afterwards is theirs; and an undo is not undone by itself.
  const [first] = messages;
  await console.post(`/v1/ward/cases/${first?.case_id}/discard`, { why: "this one is" });
  await waitFor(async () => (await counts()).discarded === 1);
  for (const id of [batch_id, undone?.batch_id ?? ""]) {
    const refused = await undo(id);
    expect({ status: refused.status, body: await refused.json() }).toMatchObject({
      status: 409,
      body: { code: "ward_batch_state" },
    });
  }
  expect((await undo("none")).status).toBe(404);
});

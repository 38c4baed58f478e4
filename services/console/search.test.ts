import { expect, test } from "vitest";
import { sensitive, contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import { z } from "zod";
import { startTestConsole } from "./testing/start-test-console.ts";
import type { TestConsole } from "./testing/start-test-console.ts";

interface Answer {
  readonly found: readonly { readonly kind: string; readonly id: string; readonly status: string }[];
  readonly looked_back_to: string | null;
}

async function search(
  console: TestConsole,
  text: string,
  key: "viewer" | "admin" = "viewer",
): Promise<Answer> {
  const answer = await console.send(`/v1/search?text=${encodeURIComponent(text)}`, { key });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Answer;
}

const ids = async (console: TestConsole, text: string): Promise<string[]> =>
  (await search(console, text)).found.map(({ kind, id }) => `${kind} ${id}`);

test("finds runs and cases by order, customer, user, trace, id and result, the newest first, and as they are now", async () => {
  const console = await startTestConsole();
  const { system } = console;
  await system.start();
  const booked = await system.submit(
    { order_id: "AB-4711", amount: 1, note: "for Jörg Müller" },
    { user: { user_id: "jorg-7" } },
  );
  await system.until(booked.runId);
  const failed = await console.admit({ order_id: "AB-4712", amount: "many", note: "for Ann Müller" });
  const poll = { timeout: 60_000 };
  await expect
    .poll(() => ids(console, "müller"), poll)
    .toEqual([`case ${failed.case_id}`, `run ${failed.run_id}`, `run ${booked.runId}`]);
  expect(await ids(console, "AB-4711")).toEqual([`run ${booked.runId}`]);
  expect(await ids(console, "jorg-7")).toEqual([`run ${booked.runId}`]);
  expect(await ids(console, failed.run_id)).toContain(`case ${failed.case_id}`);
  const { trace_id: trace } = await system.store.runs.get(booked.runId);
  // The trace of every run of a test system.
  expect(await ids(console, trace)).toHaveLength(3);
  await console.post(`/v1/ward/cases/${failed.case_id}/discard`, { why: "a zebra asked for it" });
  await expect.poll(() => ids(console, "zebra"), poll).toEqual([`case ${failed.case_id}`]);
  const whole = await search(console, "nothing like it");
  expect(whole).toEqual({ found: [], looked_back_to: null });
});

const Visit = contract("sea.visit@1", z.strictObject({ patient: sensitive(z.string()), ward: z.string() }));

test("is no way to guess what is masked, or what another team has", async () => {
  const visits = agent("sea-visit@1", {
    accepts: Visit,
    handle: (visit, ctx) => ctx.complete({ seen: visit.patient }),
  });
  const console = await startTestConsole({}, [], createTestSystem(team("clinic", [visits])));
  await console.system.start();
  const token = "sk-live-51H8xQ2eZvKYlo2C0aBcDeFgHi";
  const run = await console.system.submit({ patient: "Öhmsdottir", ward: `north ${token}` });
  await console.system.until(run.runId);
  await expect.poll(() => ids(console, "north"), { timeout: 60_000 }).toEqual([`run ${run.runId}`]);
  for (const text of ["Öhmsdottir", "ohms", token, "51H8xQ2eZvKYlo2C0aBcDeFgHi"])
    expect((await search(console, text, "admin")).found, text).toEqual([]);
});

test("finds no more what Redis no longer has", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const { runId } = await console.system.submit({ order_id: "AB-9", amount: 1, note: "needle" });
  await console.system.until(runId);
  await expect.poll(() => ids(console, "needle"), { timeout: 60_000 }).toEqual([`run ${runId}`]);
  const { redis, keys } = console.store.ofRun(runId);
  await redis.del(keys.run(runId));
  expect(await ids(console, "needle")).toEqual([]);
});

import { expect, test } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import { getCase } from "#shared/ward";
import type { WardCase } from "#shared/ward";
import { startTestConsole, waitFor } from "../services/console/testing/start-test-console.ts";
import type { TestConsole } from "../services/console/testing/start-test-console.ts";
import { plantDecision, readDecision } from "./support/forge-decision.ts";
import { startRealSurgeon } from "./support/operate-on.ts";

const BROKEN = { order_id: null, amount: 1, note: "a" };
const RENAME = { version: 1, operations: [{ op: "rename", path: "/bestellung", to: "order_id" }] };

async function open(): Promise<TestConsole> {
  const console = await startTestConsole();
  await console.system.start();
  return console;
}

const act = (console: TestConsole, { case_id }: WardCase, action: string, body: object = { why: "so" }) =>
  console.post(`/v1/ward/cases/${case_id}/${action}`, body);

async function until(
  console: TestConsole,
  { case_id }: WardCase,
  status: WardCase["status"],
): Promise<WardCase> {
  return waitFor(async () => {
    const found = await getCase(console.store, case_id);
    return found.status === status && found.decision === null && found;
  });
}

test("applies no recipe that was switched off since, and applies it once an admin approves it again", async () => {
  const console = await open();
  const { redis, keys } = console.store;
  const one = await console.admit({ bestellung: "A-12", amount: 1, note: "a lamp" });
  const hash = keys.ward(`recipe:${one.fingerprint}`);
  const said = { recipe_id: "own", fingerprint: one.fingerprint, state: "proposed", recipe: RENAME };
  await redis.hset(hash, "own", JSON.stringify({ ...said, by: "ada", at: "2026-01-01" }));
  await redis.hset(keys.ward("recipe-ids"), "own", one.fingerprint);
  await redis.sadd(keys.ward("recipes"), one.fingerprint);
  await console.post("/v1/recipes/own/approve", { why: "good" });
  const older = (await redis.hget(hash, "own")) ?? "";
  await console.post("/v1/recipes/own/retire", { why: "bad" });
  await redis.hset(hash, "own", older);
  await redis.incr(keys.ward("recipes-version"));
  startRealSurgeon(console);
  await waitFor(async () => (await console.store.cases.counts()).quarantined === 1);
  expect((await console.store.runs.get(one.run_id)).status).not.toBe("completed");
  const { audit } = (await (await console.send("/v1/recipes/own")).json()) as { audit: object[] };
  expect(audit[0]).toMatchObject({ action: "recipe.refused", why: expect.stringMatching(/older/) });
  expect((await console.post("/v1/recipes/own/approve", { why: "good after all" })).status).toBe(200);
  expect((await act(console, one, "operate")).status).toBe(202);
  expect((await console.system.until(one.run_id)).status).toBe("completed");
});

test("carries out no decision a second time, nor an older one on a case that was reopened", async () => {
  const console = await open();
  const one = await console.admit(BROKEN);
  await act(console, one, "discard");
  const discard = await readDecision(console.store, one.case_id);
  startRealSurgeon(console);
  await until(console, one, "discarded");
  await act(console, one, "restore");
  await until(console, one, "quarantined");
  // With its version, as whoever may write the ward's keys can.
  const { version } = JSON.parse(discard) as { version: number };
  await plantDecision(console.store, one.case_id, { decision: discard, at: version + 1 });
  const refused = await until(console, one, "quarantined");
  expect(refused.diagnosis).toMatch(/carried out before.*A person has to decide anew\.$/);
});

test("operates once for each time that a person asks", async () => {
  const console = await open();
  const one = await console.admit(BROKEN);
  await act(console, one, "operate");
  const operateOnce = await readDecision(console.store, one.case_id);
  startRealSurgeon(console);
  const { operations } = await until(console, one, "quarantined");
  await plantDecision(console.store, one.case_id, { decision: operateOnce });
  const refused = await waitFor(async () => {
    const found = await getCase(console.store, one.case_id);
    return /carried out before/.test(found.diagnosis ?? "") && found;
  });
  expect(refused).toMatchObject({ status: "quarantined", operations });
  await act(console, one, "operate");
  await waitFor(async () => (await getCase(console.store, one.case_id)).operations === operations + 1);
});

test("takes an approval for the step that it was given for and for no later one of the same message", async () => {
  const Wire = contract("replayed.wire@1", z.object({ amount: z.number() }));
  const payer = agent("rs-payer@1", {
    accepts: Wire,
    handle: async ({ amount }, ctx) => {
      const first = await ctx.approve({ call_id: "one", tool: "wire", arguments: { amount } });
      const second = await ctx.approve({ call_id: "two", tool: "wire", arguments: { amount } });
      return ctx.complete({ first: first.approved, second: second.approved });
    },
  });
  const system = createTestSystem(team("rs-payers", [payer]));
  const console = await startTestConsole({}, [], system);
  await system.start();
  const one = await console.admit({ amount: 5 });
  await act(console, one, "approval", { approved: true, why: "the first" });
  const approval = await readDecision(console.store, one.case_id);
  startRealSurgeon(console);
  const second = await waitFor(async () => {
    const found = await getCase(console.store, one.case_id);
    return found.messages === 2 && found.status === "quarantined" && found;
  });
  await plantDecision(console.store, one.case_id, { decision: approval });
  const refused = await waitFor(async () => {
    const found = await getCase(console.store, one.case_id);
    return /A person has to decide anew/.test(found.diagnosis ?? "") && found;
  });
  expect(refused).toMatchObject({ status: "quarantined", messages: second.messages });
  await act(console, one, "approval", { approved: false, why: "not twice" });
  expect((await system.until(one.run_id)).result).toEqual({ first: true, second: false });
});

const MESSAGE = { bestellung: "A-12", amount: 1, note: "a lamp" };

/** What an older release, or whoever may write the ward's keys, says is a recipe. */
function written(fingerprint: string, state: string): Record<string, unknown> {
  const said = { recipe_id: "planted", fingerprint, state, recipe: RENAME, by: "ada", at: "2026-01-01" };
  const proofs = ["a", "b", "c", "d"];
  return { ...said, learned_from: null, proofs, failures: 0, failed_on: [], version: 3, why: "" };
}

async function plant(
  { redis, keys }: Awaited<ReturnType<typeof startTestConsole>>["store"],
  recipe: Record<string, unknown>,
): Promise<void> {
  const fingerprint = String(recipe["fingerprint"]);
  await redis.hset(keys.ward(`recipe:${fingerprint}`), String(recipe["recipe_id"]), JSON.stringify(recipe));
  await redis.hset(keys.ward("recipe-ids"), String(recipe["recipe_id"]), fingerprint);
  await redis.sadd(keys.ward("recipes"), fingerprint);
  await redis.incr(keys.ward("recipes-version"));
}

test.each(["trusted", "trial"])(
  "applies no %s recipe that nobody signed, says so, and applies it once an admin approves it",
  async (state) => {
    const console = await startTestConsole();
    await console.system.start();
    const { case_id, fingerprint, run_id } = await console.admit(MESSAGE);
    await plant(console.store, written(fingerprint, state));
    startRealSurgeon(console);
    await waitFor(async () => (await console.store.cases.counts()).quarantined === 1);
    expect((await console.store.runs.get(run_id)).status).not.toBe("completed");
    const seen = await console.send("/v1/recipes/planted");
    expect(await seen.json()).toMatchObject({
      state,
      audit: [{ by: "surgeon@1", action: "recipe.refused", why: expect.stringMatching(/^Nobody signed it/) }],
    });
    expect((await console.post("/v1/recipes/planted/approve", { why: "mine" })).status).toBe(200);
    expect((await console.post(`/v1/ward/cases/${case_id}/operate`)).status).toBe(202);
    expect((await console.system.until(run_id)).status).toBe("completed");
  },
);

test("applies no genuine recipe that was changed since, brought to another state, or put to another fault", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const one = await console.admit(MESSAGE);
  const { recipes } = console;
  const { redis, keys } = console.store;
  await plant(console.store, written("another/fault", "proposed"));
  await console.post("/v1/recipes/planted/approve", { why: "good" });
  const genuine = await recipes.find("planted");
  const { healed: _healed, ...stored } = genuine ?? { healed: 0 };
  const hash = keys.ward(`recipe:${one.fingerprint}`);
  // As it is, under the fault of the message; and with the fault written over.
  await redis.hset(hash, "moved", JSON.stringify(stored));
  await redis.hset(hash, "rewritten", JSON.stringify({ ...stored, fingerprint: one.fingerprint }));
  await redis.incr(keys.ward("recipes-version"));
  startRealSurgeon(console);
  await waitFor(async () => (await console.store.cases.counts()).quarantined === 1);
  expect((await console.store.runs.get(one.run_id)).status).not.toBe("completed");
  // Retired by a person, and trusted again by nobody.
  const own = { ...written(one.fingerprint, "proposed"), recipe_id: "own" };
  await plant(console.store, own);
  await console.post("/v1/recipes/own/approve", { why: "good" });
  await console.post("/v1/recipes/own/retire", { why: "bad" });
  const text = (await redis.hget(hash, "own")) ?? "{}";
  await redis.hset(hash, "own", JSON.stringify({ ...(JSON.parse(text) as object), state: "trusted" }));
  await redis.incr(keys.ward("recipes-version"));
  await console.post(`/v1/ward/cases/${one.case_id}/operate`);
  await waitFor(async () => {
    const audit = await console.store.cases.audit(one.case_id, 50);
    return audit.filter(({ action }) => action === "quarantine").length === 2;
  });
  expect((await console.store.runs.get(one.run_id)).status).not.toBe("completed");
});

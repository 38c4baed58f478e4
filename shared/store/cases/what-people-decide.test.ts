import { afterEach, expect, it, onTestFinished } from "vitest";
import { setClock, timestamp, uuidv7 } from "#shared/clock";
import { openTestStore, testPrefix, testRedis } from "#shared/testing";
import { RecipeStore } from "./recipe-store.ts";
import type { Store } from "../store.ts";

const HOUR_MS = 3_600_000;
const START_MS = 500_000 * HOUR_MS;

let restoreClock: () => void = () => undefined;
afterEach(() => restoreClock());

async function addCase(
  store: Store,
  fingerprint: string,
  status: "quarantined" | "discarded",
): Promise<string> {
  const caseId = uuidv7();
  await store.cases.write({
    caseId,
    expectedVersion: 0,
    status,
    fingerprint,
    sets: { run_id: uuidv7() },
    arrival: { producer: "p@1|c@1|-|-", isReplay: false, parties: [] },
    outbox: null,
    audit: null,
  });
  return caseId;
}

it("marks no group that is not there, and writes nothing down of it", async () => {
  const { groups } = openTestStore().cases;
  expect(await groups.mark("none", { lifecycle: "acknowledged", by: "ada" })).toBe("absent");
  expect(await groups.audit("none")).toEqual([]);
  expect(await groups.find("none")).toBeNull();
});

it("refuses the second of two marks that were decided on the same version", async () => {
  const store = openTestStore();
  await addCase(store, "f", "quarantined");
  const seen = (await store.cases.groups.find("f"))?.version ?? 0;
  const both = await Promise.all([
    store.cases.groups.mark("f", { lifecycle: "resolved", by: "ada", why: "mended", seen }),
    store.cases.groups.mark("f", { lifecycle: "acknowledged", by: "bob", why: "on it", seen }),
  ]);
  expect(both.toSorted()).toEqual(["marked", "stale"]);
  const winner = both[0] === "marked" ? "ada" : "bob";
  expect((await store.cases.groups.audit("f")).map(({ by }) => by)).toEqual([winner]);
  expect(await store.cases.groups.mark("f", { lifecycle: "open", by: "eve" })).toBe("marked");
});

it("gives a group another version when a message makes it regressed", async () => {
  const store = openTestStore();
  await addCase(store, "f", "quarantined");
  await store.cases.groups.mark("f", { lifecycle: "resolved", by: "ada" });
  const seen = (await store.cases.groups.find("f"))?.version ?? 0;
  // A message within the same millisecond would still be told apart by the lifecycle alone.
  restoreClock = setClock({ now: () => seen + 1000 });
  await addCase(store, "f", "quarantined");
  expect(await store.cases.groups.find("f")).toMatchObject({ lifecycle: "regressed", version: seen + 1000 });
  expect(await store.cases.groups.mark("f", { lifecycle: "open", by: "ada", seen })).toBe("stale");
});

it("counts which cases of each group wait for a person, in the order of the groups", async () => {
  const store = openTestStore();
  for (let n = 0; n < 3; n += 1) await addCase(store, "many", "quarantined");
  await addCase(store, "many", "discarded");
  await addCase(store, "closed", "discarded");
  await addCase(store, "one", "quarantined");
  const names = ["closed", "one", "none", "many", ...Array.from({ length: 60 }, () => "one")];
  expect(await store.cases.groups.quarantinedOf(names)).toEqual([0, 1, 0, 3, ...Array<number>(60).fill(1)]);
  expect(await store.cases.groups.quarantinedOf([])).toEqual([]);
});

it("forgets what people did with a group, and with a recipe that nobody trusts, with the group's last case", async () => {
  const prefix = testPrefix();
  const store = openTestStore({ prefix });
  const caseId = await addCase(store, "f", "discarded");
  await store.cases.groups.mark("f", { lifecycle: "acknowledged", by: "ada" });
  const recipe = { version: 1, operations: [{ op: "delete", path: "/x" }] };
  const learned = {
    recipe_id: "r",
    fingerprint: "f",
    state: "trial",
    recipe,
    by: "s",
    learned_from: caseId,
  } as const;
  await new RecipeStore(store, null).add({ ...learned, at: timestamp() });
  const redis = testRedis();
  onTestFinished(() => redis.disconnect());
  expect((await redis.keys(`${prefix}*-audit:*`)).length).toBe(2);
  expect(await store.cases.forgetClosed(Date.now() + HOUR_MS, 10)).toBe(1);
  expect(await redis.keys(`${prefix}*-audit:*`)).toEqual([]);
});

it("raises a recipe's version with each change, and not with a counted proof", async () => {
  const store = openTestStore();
  const recipe = { version: 1, operations: [{ op: "delete", path: "/x" }] };
  const recipes = new RecipeStore(store, null);
  await recipes.add({
    recipe_id: "r",
    fingerprint: "f",
    state: "trial",
    recipe,
    by: "s",
    at: timestamp(),
  });
  await recipes.change("r", (present) => ({ ...present, proofs: ["c1"] }), null);
  expect(await recipes.find("r")).toMatchObject({ version: 1, proofs: ["c1"] });
  const did = { by: "ada", action: "recipe.retire", why: "wrong" };
  await recipes.change("r", (present) => ({ ...present, state: "retired" }), did);
  expect(await recipes.find("r")).toMatchObject({ version: 2, state: "retired" });
  expect((await recipes.audit("r")).map(({ action }) => action)).toEqual(["recipe.retire", "recipe.trial"]);
});

it("never lets a surgeon's step write over a person's stop, whoever is first", async () => {
  const { batches } = openTestStore().cases;
  for (let n = 0; n < 20; n += 1) {
    const id = `b${n}`;
    await batches.create(id, { state: "running" }, []);
    const [stopped, ended] = await Promise.all([
      batches.move(id, { from: "running", to: "stopped", atMs: 1 }),
      batches.move(id, { from: "running", to: "done", atMs: 2 }),
    ]);
    expect([stopped, ended].filter(Boolean).length).toBe(1);
    expect((await batches.find(id))?.["state"]).toBe(stopped ? "stopped" : "done");
  }
});

it("says since when the hour's limit holds calls back and until when, and nothing in the next hour", async () => {
  const store = openTestStore();
  const caseId = await addCase(store, "f", "quarantined");
  let nowMs = START_MS + 1000;
  restoreClock = setClock({ now: () => nowMs });
  const limits = { caseMicroMax: 100, hourMicroMax: 10, tenantMicroMax: 10, groupMicroMax: 100 };
  const ask = (micro: number) =>
    store.cases.costs.reserve({ caseId, fingerprint: "f", tenant: "local", micro, limits });
  expect(await ask(8)).toMatchObject({ kind: "reserved" });
  expect(await store.cases.costs.heldThisHour()).toBeNull();
  expect(await ask(5)).toMatchObject({ kind: "hour" });
  nowMs += 60_000;
  expect(await ask(5)).toMatchObject({ kind: "hour" });
  const until_ms = START_MS + HOUR_MS;
  expect(await store.cases.costs.heldThisHour()).toEqual({
    since_ms: START_MS + 1000,
    until_ms,
    limit_micro: 10,
    refusals: 2,
  });
  nowMs = until_ms;
  expect(await store.cases.costs.heldThisHour()).toBeNull();
  expect(await ask(5)).toMatchObject({ kind: "reserved" });
  expect((await store.cases.costs.lastHours()).slice(-2)).toEqual([8, 5]);
});

import { afterEach, expect, it } from "vitest";
import { setClock, uuidv7 } from "#shared/clock";
import { openTestStore } from "#shared/testing";
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

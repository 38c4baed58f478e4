import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { setClock, timestamp, uuidv7 } from "#shared/clock";
import { openTestStore } from "#shared/testing";
import type { Store } from "../store.ts";
import { CASE_STATUSES, OPEN_CASE_STATUSES } from "./case-record.ts";
import type { AuditEntry } from "./read-audit.ts";

const entry = (action: string): AuditEntry => ({
  case_id: "",
  at: timestamp(),
  by: "ada",
  action,
  why: "",
  detail: {},
});

/** Writes lines of the audit in each of the ways in which they come about. */
async function writeAudit(store: Store): Promise<void> {
  await store.cases.write({
    caseId: uuidv7(),
    expectedVersion: 0,
    status: "quarantined",
    fingerprint: "f",
    sets: { run_id: uuidv7() },
    arrival: { producer: "p@1|c@1|-|-", isReplay: false, parties: [] },
    effects: null,
    audit: entry("case"),
  });
  await store.cases.groups.mark("f", { lifecycle: "acknowledged", by: "ada" });
  await store.cases.groups.note("f", entry("group"));
  await store.cases.note(entry("person"));
}

const actionsOf = async (store: Store): Promise<string[]> =>
  (await store.cases.audit(null, 50)).map(({ action }) => action);

it("numbers every line, and shows where lines are missing", async () => {
  const store = openTestStore();
  await writeAudit(store);
  const key = store.keys.ward("audit");
  expect(await actionsOf(store)).toEqual(["person", "group", "group.acknowledge", "case"]);
  expect((await store.cases.audit(null, 50)).map(({ seq }) => seq)).toEqual([4, 3, 2, 1]);
  const lines = await store.redis.lrange(key, 0, -1);
  await store.redis.lrem(key, 1, lines[1] ?? "");
  await store.redis.lrem(key, 1, lines[2] ?? "");
  expect(await actionsOf(store)).toEqual(["person", "missing", "case"]);
  expect((await store.cases.audit(null, 50))[1]?.why).toMatch(/2 records/);
  await store.redis.lpop(key);
  expect(await actionsOf(store)).toEqual(["missing", "case"]);
  await store.redis.del(key);
  expect(await actionsOf(store)).toEqual(["missing"]);
});

it("shows a line that cannot be read as damaged, and the others as they are", async () => {
  const store = openTestStore();
  await writeAudit(store);
  const key = store.keys.ward("audit");
  await store.redis.lset(key, 0, "not JSON");
  await store.redis.lset(key, 1, '{"seq":3,"by":"nobody"}');
  expect(await actionsOf(store)).toEqual(["damaged", "damaged", "group.acknowledge", "case"]);
  const groupKey = store.keys.ward("group-audit:f");
  await store.redis.lset(groupKey, 0, "[]");
  expect((await store.cases.groups.audit("f")).map(({ action }) => action)).toEqual([
    "damaged",
    "group.acknowledge",
  ]);
});

it("counts what of a group is open, waits for a person or is proposed, through all changes of cases", async () => {
  const GROUPS = ["f", "g"] as const;
  const made = fc.record({
    nth: fc.nat(2),
    status: fc.constantFrom(...CASE_STATUSES),
    fingerprint: fc.constantFrom(...GROUPS),
    isProposed: fc.boolean(),
  });
  const changes = fc.array(made, { maxLength: 12 });
  const holds = fc.asyncProperty(changes, async (all) => {
    const store = openTestStore();
    const ids = [uuidv7(), uuidv7(), uuidv7()];
    for (const [at, { nth, status, fingerprint, isProposed }] of all.entries()) {
      await store.cases.write({
        caseId: ids[nth] ?? "",
        expectedVersion: all.slice(0, at).filter((before) => before.nth === nth).length,
        status,
        fingerprint,
        sets: { run_id: uuidv7(), ...(isProposed ? { proposal: "{}" } : {}) },
        ...(isProposed ? {} : { removes: ["proposal"] }),
        arrival: { producer: "p@1|c@1|-|-", isReplay: false, parties: [] },
        effects: null,
        audit: null,
      });
    }
    const last = [0, 1, 2].flatMap((nth) => all.findLast((one) => one.nth === nth) ?? []);
    for (const name of GROUPS) {
      const own = last.filter(({ fingerprint }) => fingerprint === name);
      const { open = 0, quarantined = 0, proposed = 0 } = (await store.cases.groups.find(name)) ?? {};
      expect({ open, quarantined, proposed }).toEqual({
        open: own.filter(({ status }) => OPEN_CASE_STATUSES.includes(status)).length,
        quarantined: own.filter(({ status }) => status === "quarantined").length,
        proposed: own.filter((one) => one.isProposed).length,
      });
    }
  });
  await fc.assert(holds, { numRuns: 25 });
});

describe("what people decide", () => {
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
      effects: null,
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
});

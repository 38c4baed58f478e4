import { expect, it } from "vitest";
import { timestamp, uuidv7 } from "#shared/clock";
import { openTestStore } from "#shared/testing";
import type { Store } from "../store.ts";
import type { AuditEntry } from "./case-record.ts";

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
    outbox: null,
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

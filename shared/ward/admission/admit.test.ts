import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { derivedId } from "#shared/clock";
import { createFirst } from "#shared/envelope";
import { createMaster, issueKeyring, Keyring } from "#shared/envelope/keys";
import { seal, sealBytes } from "#shared/envelope/seals";
import type { Store } from "#shared/store";
import { moveInboxEntry } from "#shared/store/cases";
import type { Admission } from "#shared/store/settlement";
import { openTestStore } from "#shared/testing";
import {
  ADMISSION_LIMITS,
  admitCase,
  findCases,
  getCase,
  openAdmission,
  takeInDeadMessages,
  toWardCase,
  wardIsFull,
} from "../index.ts";
import type { CaseAdmission } from "../index.ts";
import { admissionOf, PAYLOAD_INVALID } from "../testing/admission-of.ts";
import { readAdmission } from "./read-admission.ts";

const MASTER = createMaster();
const EDGES = [
  { from: "gateway", to: "desk" },
  { from: "desk", to: "ward" },
  { from: "spy", to: "ward" },
];
const KEYS = Keyring.merge(
  ["gateway", "desk", "spy"].map((agent) => issueKeyring({ master: MASTER, agent, edges: EDGES })),
);

function makeAdmission(more: Partial<CaseAdmission> = {}, signer = "desk"): Admission {
  const envelope = createFirst({
    to: "desk@1",
    contract: "desk.refund@1",
    payload: { order_id: "A-1234" },
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  });
  const message = seal({ envelope, queue: "desk", key: KEYS.signing("gateway", "desk") });
  const stored = JSON.stringify({ ...message.message, sealed: null });
  const record = admissionOf(envelope, {
    bytes: message.bytes,
    stored,
    failures: [PAYLOAD_INVALID],
    ...more,
  });
  const bytes = JSON.stringify(record);
  const key = KEYS.signing(signer, "ward");
  const sealed = sealBytes({ bytes, queue: "ward", id: record.case_id, key, limits: ADMISSION_LIMITS });
  return { case_id: record.case_id, ...sealed };
}

let store: Store;

beforeEach(() => {
  store = openTestStore();
});

const load = async (caseId: string) => toWardCase(await store.cases.get(caseId));

/** As a discharge leaves it: the case knows the message that took the message's place. */
async function markDischarged(caseId: string, as: string, operations: number): Promise<void> {
  const from = await store.cases.get(caseId);
  const written = await store.cases.write({
    caseId,
    expectedVersion: from.version,
    status: "discharged",
    fingerprint: from.fingerprint,
    sets: { discharged_as: as, operations: String(operations) },
    effects: null,
    audit: null,
  });
  expect(written.kind).toBe("written");
}

describe("admitting a dead message", () => {
  it("makes one case, one job and one count, however often and however concurrently it is told", async () => {
    const admission = makeAdmission();
    await Promise.all(Array.from({ length: 8 }, () => admitCase(store, admission)));
    await admitCase(store, admission);
    const one = await load(admission.case_id);
    expect(one).toMatchObject({ status: "admitted", messages: 1, version: 1, producer: "gateway@1" });
    expect(await store.queues.of("ward", "ward").count()).toBe(1);
    expect(await store.cases.counts()).toMatchObject({ admitted: 1, quarantined: 0 });
    expect(await store.cases.groups.find(one.fingerprint)).toMatchObject({
      count: 1,
      open: 1,
      lifecycle: "open",
    });
    expect([...(await store.cases.producers())]).toEqual([["gateway@1|desk.refund@1|-|-", 1]]);
    expect((await store.cases.audit(admission.case_id, 10)).map((entry) => entry.action)).toEqual(["admit"]);
  });

  it("quarantines unread what never verified, and calls no surgeon", async () => {
    const admission = makeAdmission({ bytes: null, disposition: "operate" });
    await admitCase(store, admission);
    expect(await load(admission.case_id)).toMatchObject({ status: "quarantined", job_id: null });
    expect(await store.queues.of("ward", "ward").count()).toBe(0);
  });

  it("reopens the case a discharged message came from, and leaves it to a person after two operations", async () => {
    const first = makeAdmission();
    await admitCase(store, first);
    const second = makeAdmission({ case_id: first.case_id });
    await markDischarged(first.case_id, readAdmission(second).message_id, 1);
    expect((await store.cases.groups.list({ offset: 0, limit: 1 }))[0]?.open).toBe(0);
    await admitCase(store, second);
    await admitCase(store, first);
    expect(await load(first.case_id)).toMatchObject({
      status: "admitted",
      messages: 2,
      message_id: readAdmission(second).message_id,
    });
    const third = makeAdmission({ case_id: first.case_id });
    await markDischarged(first.case_id, readAdmission(third).message_id, 2);
    await admitCase(store, third);
    expect(await load(first.case_id)).toMatchObject({ status: "quarantined", messages: 3, job_id: null });
    expect((await load(first.case_id)).diagnosis).toContain("2 operations");
  });

  it("gives a message that names a case it did not come from a case of its own", async () => {
    const first = makeAdmission();
    await admitCase(store, first);
    const stranger = makeAdmission({ case_id: first.case_id });
    await admitCase(store, stranger);
    await admitCase(store, stranger);
    expect(await load(first.case_id)).toMatchObject({ messages: 1 });
    const own = await load(derivedId("case", readAdmission(stranger).message_id));
    expect(own).toMatchObject({ status: "admitted", messages: 1 });
  });

  it("keeps a message although another wrote into the ward under its id before it died", async () => {
    const genuine = makeAdmission();
    const { case_id, message_id, run_id } = readAdmission(genuine);
    const invented = makeAdmission({ case_id, message_id, run_id, admitted_by: "spy@1" }, "spy");
    await admitCase(store, invented);
    await admitCase(store, genuine);
    await admitCase(store, genuine);
    await admitCase(store, invented);
    const { cases } = await findCases(store, { filter: { run_id }, limit: 5 });
    const messages = await Promise.all(cases.map((one) => getCase(store, one.case_id)));
    expect(messages.map(({ admissions }) => admissions)).toEqual(
      expect.arrayContaining([[genuine], [invented]]),
    );
    expect(messages).toHaveLength(2);
  });

  it("takes in what lies in the inbox, keeps aside what cannot be read, and reads that again later", async () => {
    const { redis, keys } = store;
    const logger = { error: () => undefined, warn: () => undefined };
    const [first, second] = [makeAdmission(), makeAdmission()];
    const bad = ["", "{", "null", "[]", '{"case_id":1}', '{"case_id":"x","sealed":"{}"}'];
    const noise = Array.from({ length: 60 }, (_, n) => bad[n % bad.length] ?? "");
    await redis.rpush(keys.inbox(), ...noise, JSON.stringify(first), JSON.stringify(first));
    const stop = takeInDeadMessages({ store, logger });
    await expect.poll(() => redis.llen(keys.inbox())).toBe(0);
    expect(await load(first.case_id)).toMatchObject({ status: "admitted", version: 1 });
    // It waits for the next one, which is taken at once.
    await redis.rpush(keys.inbox(), JSON.stringify(second));
    await expect.poll(() => store.cases.find(second.case_id)).toMatchObject({ version: 1 });
    stop();
    expect(await redis.llen(keys.inboxRefused())).toBe(noise.length);
    const third = makeAdmission();
    await redis.lpush(keys.inboxRefused(), JSON.stringify(third));
    onTestFinished(takeInDeadMessages({ store, logger }));
    await expect.poll(() => store.cases.find(third.case_id)).toMatchObject({ version: 1 });
  });

  it("makes no case of an entry that a failover took back, and keeps the entry of a case that it took back", async () => {
    const [gone, kept] = [makeAdmission(), makeAdmission()];
    await admitCase(store, gone, JSON.stringify(gone));
    expect(await store.cases.find(gone.case_id)).toBeNull();
    const entry = JSON.stringify(kept);
    await store.redis.rpush(store.keys.inbox(), entry);
    const { message_id } = readAdmission(kept);
    await moveInboxEntry(store, entry, { caseId: kept.case_id, field: `seen:${message_id}`, mark: "lost" });
    expect(await store.redis.lrange(store.keys.inbox(), 0, -1)).toEqual([entry]);
    await admitCase(store, kept, entry);
    expect(await load(kept.case_id)).toMatchObject({ status: "admitted", version: 1 });
    expect(await store.redis.llen(store.keys.inbox())).toBe(0);
  });

  it("takes a message of the largest size", async () => {
    const admission = makeAdmission({ stored: `"${"\\n".repeat(700_000)}"` });
    await admitCase(store, admission);
    expect(readAdmission(admission).stored.length).toBe(1_400_002);
    expect(await load(admission.case_id)).toMatchObject({ status: "admitted" });
  });

  it("refuses what is no admission", async () => {
    const broken = { ...makeAdmission(), sealed: "{}" };
    await expect(admitCase(store, broken)).rejects.toMatchObject({ code: "WARD_ADMISSION_INVALID" });
    const packed = { ...makeAdmission(), sealed: "not gzip", encoding: "gzip" };
    await expect(admitCase(store, packed)).rejects.toMatchObject({ code: "WARD_ADMISSION_INVALID" });
  });
});

describe("believing an admission", () => {
  it.each([
    [
      "signed by an agent that neither sent nor received the message",
      () => makeAdmission({ admitted_by: "spy@1" }, "spy"),
    ],
    ["signed by another than it says", () => makeAdmission({}, "spy")],
    ["about another message than its message", () => makeAdmission({ message_id: derivedId("other") })],
    ["about another run than its message's", () => makeAdmission({ run_id: derivedId("other") })],
    ["addressed to another agent than its message", () => makeAdmission({ agent: "clerk" })],
  ])("refuses one that is %s", (_what, make) => {
    expect(() => openAdmission({ admission: make(), keyring: KEYS })).toThrow(
      expect.objectContaining({ code: "WARD_ADMISSION_FOREIGN" }),
    );
  });

  it("refuses one that was moved to another case", () => {
    const admission = { ...makeAdmission(), case_id: derivedId("another case") };
    expect(() => openAdmission({ admission, keyring: KEYS })).toThrow(
      expect.objectContaining({ failureClass: "untrusted" }),
    );
  });
});

describe("finding cases", () => {
  it("walks every case once, newest first, with a cursor, also within one millisecond", async () => {
    const admissions = Array.from({ length: 25 }, (_, i) =>
      makeAdmission({ team: i % 2 === 0 ? "even" : "odd" }),
    );
    await Promise.all(admissions.map((admission) => admitCase(store, admission)));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof findCases>> = await findCases(store, {
        filter: {},
        cursor,
        limit: 4,
      });
      seen.push(...page.cases.map((one) => one.case_id));
      cursor = page.cursor;
    } while (cursor !== null);
    expect(seen.length).toBe(25);
    expect(new Set(seen)).toEqual(new Set(admissions.map((admission) => admission.case_id)));
    const odd = await findCases(store, { filter: { text: "ODD", status: "admitted" }, limit: 100 });
    expect(odd.cases.length).toBe(12);
  });

  it("says when the ward is full", async () => {
    await admitCase(store, makeAdmission());
    expect(await wardIsFull(store, 2)).toBe(false);
    expect(await wardIsFull(store, 1)).toBe(true);
  });

  it("forgets closed cases after their time, and only those", async () => {
    const [closed, open] = [makeAdmission(), makeAdmission()];
    await admitCase(store, closed);
    await admitCase(store, open);
    await markDischarged(closed.case_id, derivedId("next"), 1);
    expect(await store.leavingCases.forget(1, 100)).toBe(0);
    expect(await store.leavingCases.forget(Date.parse("2100-01-01"), 100)).toBe(1);
    expect(await store.cases.find(closed.case_id)).toBeNull();
    expect((await findCases(store, { filter: {}, limit: 10 })).cases.map((one) => one.case_id)).toEqual([
      open.case_id,
    ]);
    expect(await store.cases.counts()).toMatchObject({ admitted: 1, discharged: 0 });
  });

  it("takes messages of versions before the one in which a group was resolved for late ones", async () => {
    const made = (version: number): Admission =>
      makeAdmission({
        producer: { agent: `export@${version}`, contract: "x@1", model: null, prompt_version: null },
      });
    await admitCase(store, made(3));
    const [group] = await store.cases.groups.list({ offset: 0, limit: 1 });
    const { fingerprint = "" } = group ?? {};
    const since = { name: "export", version: 5 };
    await store.cases.groups.mark(fingerprint, { lifecycle: "resolved", by: "ada", since });
    await admitCase(store, made(4));
    expect(await store.cases.groups.find(fingerprint)).toMatchObject({ lifecycle: "resolved", count: 2 });
    await admitCase(store, made(5));
    expect(await store.cases.groups.find(fingerprint)).toMatchObject({
      lifecycle: "regressed",
      producer: "export@3|x@1|-|-",
      regression: { producer: "export@5|x@1|-|-" },
      resolution: { by: "ada", since },
    });
    // Somebody who has nothing to do with that name speaks against it as well.
    await store.cases.groups.mark(fingerprint, { lifecycle: "resolved", by: "ada", since });
    await admitCase(store, makeAdmission());
    expect(await store.cases.groups.find(fingerprint)).toMatchObject({ lifecycle: "regressed" });
  });

  it("counts messages that come back for the group in which they were repaired", async () => {
    const first = makeAdmission();
    await admitCase(store, first);
    const { fingerprint } = await load(first.case_id);
    const next = derivedId("next");
    await markDischarged(first.case_id, next, 1);
    expect(await store.cases.groups.find(fingerprint)).toMatchObject({ sent_on: 1, replays: 0, open: 0 });
    await admitCase(store, makeAdmission({ case_id: first.case_id, message_id: next }));
    expect(await store.cases.groups.find(fingerprint)).toMatchObject({ sent_on: 1, replays: 1, open: 1 });
  });
});

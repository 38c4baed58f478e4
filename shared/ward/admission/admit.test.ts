import { beforeEach, describe, expect, it } from "vitest";
import { derivedId, timestamp } from "#shared/clock";
import { createFirst } from "#shared/envelope";
import { createMaster, issueKeyring, Keyring } from "#shared/envelope/keys";
import { seal, sealBytes } from "#shared/envelope/seals";
import type { Failure } from "#shared/errors";
import type { Store } from "#shared/store";
import type { Admission } from "#shared/store/settlement";
import { openTestStore } from "#shared/testing";
import { ADMISSION_LIMITS, admitCase, findCases, getCase, openAdmission, toWardCase } from "../index.ts";
import type { CaseAdmission } from "../index.ts";
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

const FAILURE: Failure = {
  failure_class: "validation_error",
  code: "PAYLOAD_INVALID",
  message: "The payload does not satisfy desk.refund@1 at /seats.",
  remedy: "",
  severity: "recoverable",
  direction: "in",
  agent: "desk@1",
  contract: "desk.refund@1",
  issues: [{ path: "/seats", code: "invalid_type", message: "expected number" }],
  step: null,
  model: null,
  prompt_version: null,
  at: timestamp(),
};

function makeAdmission(more: Partial<CaseAdmission> = {}, signer = "desk"): Admission {
  const envelope = createFirst({
    to: "desk@1",
    contract: "desk.refund@1",
    payload: { order_id: "A-1234" },
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  });
  const { message_id, run_id } = envelope.meta;
  const message = seal({ envelope, queue: "desk", key: KEYS.signing("gateway", "desk") });
  const record: CaseAdmission = {
    case_id: derivedId("case", message_id),
    message_id,
    run_id,
    team: "help",
    agent: "desk",
    contract: "desk.refund@1",
    schema: { type: "object" },
    disposition: "operate",
    subject: { kind: "payload" },
    bytes: message.bytes,
    stored: JSON.stringify({ ...message.message, sealed: null }),
    failures: [FAILURE],
    producer: { agent: "gateway@1", contract: "desk.refund@1", model: null, prompt_version: null },
    time_left_ms: 1000,
    admitted_by: "desk@1",
    at: timestamp(),
    ...more,
  };
  const bytes = JSON.stringify(record);
  const key = KEYS.signing(signer, "ward");
  const sealed = sealBytes({ bytes, queue: "ward", id: record.case_id, key, limits: ADMISSION_LIMITS });
  return { case_id: record.case_id, ...sealed };
}

function recordOf(admission: Admission): CaseAdmission {
  return readAdmission(admission);
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
    outbox: null,
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
    await markDischarged(first.case_id, recordOf(second).message_id, 1);
    expect((await store.cases.groups.list({ offset: 0, limit: 1 }))[0]?.open).toBe(0);
    await admitCase(store, second);
    await admitCase(store, first);
    expect(await load(first.case_id)).toMatchObject({
      status: "admitted",
      messages: 2,
      message_id: recordOf(second).message_id,
    });
    const third = makeAdmission({ case_id: first.case_id });
    await markDischarged(first.case_id, recordOf(third).message_id, 2);
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
    const own = await load(derivedId("case", recordOf(stranger).message_id));
    expect(own).toMatchObject({ status: "admitted", messages: 1 });
  });

  it("keeps a message although another wrote into the ward under its id before it died", async () => {
    const genuine = makeAdmission();
    const { case_id, message_id, run_id } = recordOf(genuine);
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

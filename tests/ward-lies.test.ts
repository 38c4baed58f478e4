import { describe, expect, it } from "vitest";
import { derivedId } from "#shared/clock";
import { createFirst, createNext } from "#shared/envelope";
import { deriveEdgeKey, Keyring } from "#shared/envelope/keys";
import { digestOf, seal } from "#shared/envelope/seals";
import type { CaseAdmission } from "#shared/ward";
import { decide } from "#shared/ward/decisions";
import {
  admitBy,
  fromClerk,
  Lax,
  openBank,
  Order,
  ORDER,
  sealBy,
  taskForClerk,
} from "./support/hostile-bank-team.ts";
import type { Bank } from "./support/hostile-bank-team.ts";

/** Words of an admitter beside the message: about its case, its run, its team, its contract, its time. */

async function admitSound(bank: Bank, record: Partial<CaseAdmission> = {}) {
  const task = taskForClerk(bank.system);
  const envelope = fromClerk(task, "auditor");
  const message = { envelope, ...sealBy(bank.clerk, envelope) };
  const parent = { index: 0, message: task.message };
  const admission = admitBy(bank.clerk, message, { parent, ...record });
  await bank.admit(admission);
  return { admission, envelope, one: await bank.untilSeen(admission.case_id) };
}

describe("an admission that lies about its message", () => {
  it.each([
    ["another contract of its team", { contract: Lax.id, schema: {} }, /does not accept bank.lax@1/],
    [
      "a contract that nobody knows",
      { contract: "bank.made-up@1", schema: {} },
      /does not know its contract/,
    ],
    ["a team that nobody knows", { team: "elsewhere" }, /does not know its team/],
    ["another run", { run_id: derivedId("another run") }, /cannot be believed/],
    ["another message", { message_id: derivedId("another message") }, /cannot be believed/],
    ["another receiver", { agent: "payer" }, /cannot be believed/],
  ])("naming %s sends nothing", async (_what, record, said) => {
    const bank = await openBank();
    const { one } = await admitSound(bank, record);
    expect(one).toMatchObject({ operations: 0, discharged_as: null });
    expect(one.diagnosis ?? one.waits?.why).toMatch(said);
    expect(bank.audited).toEqual([]);
    expect(bank.paid).toEqual([]);
  });

  it("cannot give its message a longer life than it had", async () => {
    const bank = await openBank();
    await admitSound(bank, { at: "1999-01-01T00:00:00.000Z" });
    await expect.poll(() => bank.audited.length).toBe(1);
    const { expires_at, timestamp } = bank.audited[0]?.meta ?? {};
    expect(Date.parse(expires_at ?? "") - Date.parse(timestamp ?? "")).toBeLessThanOrEqual(86_400_000);
  });
});

describe("a case that is not its message's", () => {
  it("sends nothing where another case's message was put into it", async () => {
    const bank = await openBank();
    const { store } = bank.system;
    const { admission } = await admitSound(bank);
    await expect.poll(() => bank.audited.length).toBe(1);
    // The second one waits until its record was changed: nobody knows its team yet.
    const { one } = await admitSound(bank, { team: "elsewhere" });
    const text = JSON.stringify(admission);
    const { fields } = await store.cases.get(admission.case_id);
    for (const name of ["message_id", "run_id", "agent", "team"])
      await store.redis.hset(store.keys.ward(`case:${one.case_id}`), name, fields[name] ?? "");
    await store.redis.hset(store.keys.ward(`case:${one.case_id}`), "message:1", text);
    await decide(bank.system.store, {
      case_id: one.case_id,
      decision: "release",
      by: "ada",
      why: "looks right",
    });
    await expect
      .poll(async () => (await store.cases.get(one.case_id)).fields["diagnosis"] ?? "")
      .toContain("cannot be believed");
    expect(bank.audited).toHaveLength(1);
  });

  it("that names another's run does not end it when it is discarded", async () => {
    const bank = await openBank();
    const { store } = bank.system;
    // Nobody works for teller yet, so that its message stays open.
    const { runId, envelope } = await bank.system.submit(ORDER);
    const forged = { ...envelope, meta: { ...envelope.meta, target_agent: "clerk@1" } };
    const unread = { bytes: null, stored: "{}", disposition: "quarantine" as const };
    await bank.admit(admitBy(bank.clerk, { envelope: forged }, unread));
    const case_id = derivedId("case", envelope.meta.message_id);
    await decide(bank.system.store, { case_id, decision: "discard", by: "ada", why: "junk" });
    await expect.poll(async () => (await store.cases.get(case_id)).status).toBe("discarded");
    await expect.poll(async () => (await store.runs.get(runId)).status).not.toBe("failed");
    await bank.system.start({ only: ["teller"] });
    expect(await bank.system.until(runId)).toMatchObject({ status: "completed" });
  });
});

describe("the surgeon's key in other hands", () => {
  const first = (to: string) =>
    createFirst({
      from: "surgeon@1",
      to: `${to}@1`,
      contract: Order.id,
      payload: ORDER,
      traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    });

  /** Its holder signs as the surgeon, to payer, and has no other key. */
  async function sendAsSurgeon(bank: Bank, envelope: ReturnType<typeof first>): Promise<void> {
    const record = deriveEdgeKey({ master: bank.system.master, from: "surgeon", to: "payer", generation: 1 });
    const key = new Keyring([record]).signing("surgeon", "payer");
    const { message } = seal({ envelope, queue: "payer", key });
    const jobId = envelope.meta.message_id;
    await bank.system.store.queues.of("payer", "fresh").add("m", { ...message }, { jobId });
    const seen = async (): Promise<number> =>
      bank.paid.length + (await bank.system.store.cases.counts()).quarantined;
    await expect.poll(seen).toBe(1);
  }

  it("starts no agent with a message of its own", async () => {
    const bank = await openBank();
    await sendAsSurgeon(bank, first("payer"));
    expect(bank.paid).toEqual([]);
  });

  it.each([
    ["no seal of it", {}],
    ["a seal that it made up", { key_id: "teller>payer#1", value: "A".repeat(43) }],
    ["a seal of its own", { key_id: "surgeon>payer#1", value: "A".repeat(43) }],
    ["an edge that its team does not have", { key_id: "clerk>payer#1", value: "A".repeat(43) }],
    ["a seal of nobody's", { key_id: "nobody", value: "A".repeat(43) }],
  ])("starts no agent with a discharge of an invented message, with %s", async (_which, sealed) => {
    const bank = await openBank();
    const parent_id = derivedId("a message", "that", "never was");
    const parent_digest = digestOf("nothing");
    const base = first("payer");
    const original = {
      message_id: parent_id,
      alg: "HS256",
      encoding: "",
      sealed_digest: parent_digest,
    } as const;
    const meta = {
      ...base.meta,
      parent_id,
      parent_digest,
      case_id: derivedId("case", parent_id),
      path: ["teller@1", "surgeon@1"],
      ...("key_id" in sealed ? { original_seal: { ...original, ...sealed } } : {}),
    };
    await sendAsSurgeon(bank, { ...base, meta });
    expect(bank.paid).toEqual([]);
  });

  it("starts no agent with the seal of a message that was for another", async () => {
    const bank = await openBank();
    const task = taskForClerk(bank.system);
    const { message, envelope } = task;
    const original_seal = {
      message_id: envelope.meta.message_id,
      ...message.seal,
      key_id: "teller>payer#1",
      encoding: "" as const,
      sealed_digest: task.digest,
    };
    const base = createNext({
      parent: envelope,
      parentDigest: task.digest,
      from: "surgeon@1",
      to: "payer@1",
      contract: Order.id,
      payload: ORDER,
    });
    const meta = { ...base.meta, case_id: derivedId("case", "x"), original_seal };
    await sendAsSurgeon(bank, { ...base, meta });
    expect(bank.paid).toEqual([]);
  });
});

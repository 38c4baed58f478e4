import { z } from "zod";
import { contract } from "#shared/contract";
import { agentNameOf, createFirst, createNext } from "#shared/envelope";
import { digestOf, seal, sealBytes } from "#shared/envelope/seals";
import { issueKeyring, issueVerifyingKeyring, Keyring } from "#shared/envelope/keys";
import type { Envelope, NextDraft } from "#shared/envelope";
import type { Sealed } from "#shared/envelope/seals";
import { agent, edgesOf, team } from "#shared/runtime";
import type { Admission } from "#shared/store/settlement";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { ADMISSION_LIMITS, admitCase, toWardCase } from "#shared/ward";
import type { CaseAdmission, WardCase } from "#shared/ward";
import { admissionOf, PAYLOAD_INVALID } from "#shared/ward/testing";
import { BRISK, operateOn } from "./operate-on.ts";

export const Order = contract(
  "bank.order@1",
  z.strictObject({ order: z.string(), amount: z.number().meta({ "x-locked": true }) }),
);

/** Takes anything: what a proof by the wrong contract would let pass. */
export const Lax = contract("bank.lax@1", z.looseObject({}));

export const CALL = { call_id: "c-1", tool: "wire", arguments: { amount: 9999 } };
export const ORDER = { order: "A-1", amount: 9999 };
/** The order as a text, which first aid reads and heals with proof. */
export const BROKEN = JSON.stringify(ORDER);
const TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/**
 * A bank of four agents and its real surgeon. `teller` hands to all; `clerk` is in the attacker's hands, with exactly
 * its own keys: teller>clerk to verify, clerk>auditor and clerk>ward to sign. `payer` pays whatever it is handed;
 * `auditor` wires what a person has approved, and refuses words that give orders.
 */
export interface Bank {
  readonly system: TestSystem;
  /** Exactly the clerk's. */
  readonly clerk: Keyring;
  /** Payments of payer. */
  readonly paid: unknown[];
  /** Transfers of auditor. */
  readonly wired: unknown[];
  /** Envelopes that auditor's guard let through to it. */
  readonly audited: Envelope[];
  readonly admit: (admission: Admission) => Promise<void>;
  /** Waits until the surgeon has done with a case, and for what it sent. */
  readonly untilSeen: (caseId: string) => Promise<WardCase>;
}

export async function openBank(): Promise<Bank> {
  const paid: unknown[] = [];
  const wired: unknown[] = [];
  const audited: Envelope[] = [];
  const teller = agent("teller@1", {
    accepts: Order,
    to: { payer: Order, clerk: Order, auditor: Order },
    handle: (input, ctx) => ctx.handoff("payer", input),
  });
  const clerk = agent("clerk@1", {
    accepts: Order,
    to: { auditor: Order },
    handle: (input, ctx) => ctx.handoff("auditor", input),
  });
  const payer = agent("payer@1", {
    accepts: Order,
    handle: (input, ctx) => {
      paid.push(input);
      return ctx.complete({ paid: input.order });
    },
  });
  const auditor = agent("auditor@1", {
    accepts: Order,
    guard: {
      mayCause: ["wire"],
      injection: { reaction: "quarantine" },
      untrusted: { payload: { "": "user" } },
    },
    handle: async (_input, ctx) => {
      audited.push(ctx.envelope);
      const { approved } = await ctx.approve(CALL);
      if (approved) wired.push(CALL.arguments);
      return ctx.complete({});
    },
  });
  const lax = agent("lax@1", { accepts: Lax, handle: (_input, ctx) => ctx.complete({}) });
  const bank = team("bank", [teller, clerk, payer, auditor, lax]);
  const system = createTestSystem(bank);
  const issued = { master: system.master, edges: edgesOf([bank]) };
  await system.start({ only: ["payer", "auditor", "lax"], keyring: system.keyring });
  operateOn(system, {
    keyring: Keyring.merge([issueKeyring({ ...issued, agent: "surgeon" }), issueVerifyingKeyring(issued)]),
    limits: BRISK.limits,
    upkeepMs: 50,
  });
  return {
    system,
    clerk: issueKeyring({ ...issued, agent: "clerk" }),
    paid,
    wired,
    audited,
    admit: (admission) => admitCase(system.store, admission),
    untilSeen: (caseId) => untilSeen(system, caseId),
  };
}

async function untilSeen({ store }: TestSystem, caseId: string): Promise<WardCase> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const one = toWardCase(await store.cases.get(caseId));
    const isSent =
      one.discharged_as !== null &&
      (await store.queues.of(one.addressed_to, "fresh").getJobCountByTypes("waiting", "active")) === 0;
    if ((one.status === "quarantined" && one.job_id === null) || one.waits !== null) return one;
    if (isSent) {
      // A message to another queue gets its time as well.
      await new Promise((resolve) => setTimeout(resolve, 500));
      return toWardCase(await store.cases.get(caseId));
    }
    if (performance.now() > deadline) throw new Error(`not seen: ${JSON.stringify(one)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A task that teller truly handed to clerk, as it lay in clerk's queue. */
export function taskForClerk(
  system: TestSystem,
  more: Partial<NextDraft> = {},
): Sealed & { envelope: Envelope } {
  const first = createFirst({
    to: "teller@1",
    contract: Order.id,
    payload: ORDER,
    traceparent: TRACEPARENT,
    hopsMax: 5,
    user: { user_id: "ada", original_query: "pay A-1" },
  });
  const envelope = createNext({
    parent: first,
    parentDigest: digestOf(JSON.stringify(first)),
    from: "teller@1",
    to: "clerk@1",
    contract: Order.id,
    payload: ORDER,
    ...more,
  });
  return {
    envelope,
    ...asSealed(seal({ envelope, queue: "clerk", key: system.keyring.signing("teller", "clerk") })),
  };
}

/** Its digest is worked out on demand, which no spread copies. */
function asSealed({ message, bytes, digest }: Sealed): Sealed {
  return { message, bytes, digest };
}

/** Seals what clerk says, whatever it says, with a key of clerk's. */
export function sealBy(keyring: Keyring, envelope: Envelope): Sealed {
  const to = agentNameOf(envelope.meta.target_agent);
  return asSealed(seal({ envelope, queue: to, key: keyring.signing("clerk", to) }));
}

/** An admission by clerk, with every field as the attacker likes. */
export function admitBy(
  keyring: Keyring,
  message: { readonly envelope: Envelope; readonly bytes?: string; readonly message?: object },
  more: Partial<CaseAdmission> = {},
): Admission {
  const { envelope, bytes: own = JSON.stringify(envelope) } = message;
  const record = admissionOf(envelope, {
    team: "bank",
    agent: agentNameOf(envelope.meta.target_agent),
    contract: Order.id,
    schema: Order.jsonSchema,
    bytes: own,
    stored: JSON.stringify({ ...message.message, sealed: null }),
    failures: [{ ...PAYLOAD_INVALID, direction: "out", agent: "clerk@1", contract: Order.id }],
    producer: { agent: "clerk@1", contract: Order.id, model: null, prompt_version: null },
    time_left_ms: -1,
    admitted_by: "clerk@1",
    ...more,
  });
  const { case_id } = record;
  const bytes = JSON.stringify(record);
  const key = keyring.signing("clerk", "ward");
  return { case_id, ...sealBytes({ bytes, queue: "ward", id: case_id, key, limits: ADMISSION_LIMITS }) };
}

/** A message as clerk would hand it to another agent. */
export function fromClerk(
  task: Sealed & { readonly envelope: Envelope },
  to: string,
  more: Partial<NextDraft> = {},
): Envelope {
  return createNext({
    parent: task.envelope,
    parentDigest: task.digest,
    from: "clerk@1",
    to: `${to}@1`,
    contract: Order.id,
    payload: BROKEN,
    ...more,
  });
}

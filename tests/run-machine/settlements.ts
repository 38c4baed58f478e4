import { expect } from "vitest";
import { derivedId, now, timestamp } from "#shared/clock";
import type { StoredCase } from "#shared/store/cases";
import type { Spending } from "#shared/store/ledger";
import type { Job } from "#shared/store/queues";
import { rankOf } from "#shared/store/runs";
import type { RunChange } from "#shared/store/runs";
import type { Admission, OutboxEntry } from "#shared/store/settlement";
import { DecisionRefusedError } from "#shared/ward";
import { discardCase, quarantineCase, restoreCase } from "#shared/ward/moves";
import { AGENTS, SURGEON_FENCE } from "./machine.ts";
import type { Machine } from "./machine.ts";

/** What a handler's delivery can come to. The numbers say how many children, and how many of them are dead messages. */
export type Ending =
  | { readonly kind: "completed" }
  | { readonly kind: "handed_off"; readonly alive: number; readonly dead: number }
  | { readonly kind: "retry" | "in_ward" | "quarantined" | "failed" | "expired" | "cancelled" };

/** A delivery as far as its settlement needs it. */
interface Settled {
  readonly runId: string;
  readonly messageId: string;
  readonly jobId: string;
  readonly agent: string;
  readonly requeues: number;
  /** What this delivery adds to what its message had cost. */
  readonly spent: Spending;
  /** The agent that children go to. */
  readonly next: string;
}

export interface Settlement {
  readonly scope: "final" | "delivery";
  readonly isCancellable: boolean;
  readonly entry: OutboxEntry;
}

/** What an ending sets in motion, in the shape that the runtime's settlement gives it. */
export function settlementOf(settled: Settled, ending: Ending): Settlement {
  const entry = (parts: Partial<OutboxEntry> & Pick<OutboxEntry, "changes">): OutboxEntry => ({
    id: derivedId(settled.messageId, settled.jobId, "settled"),
    at_ms: now(),
    sends: [],
    admissions: [],
    ...parts,
  });
  const closed = { state: "closed", rank: rankOf.closed() } as const;
  const final = { scope: "final", isCancellable: ending.kind !== "cancelled" } as const;
  switch (ending.kind) {
    case "completed":
      return { ...final, entry: entry({ changes: [tell(settled, "completed", { moves: closed })] }) };
    case "failed":
    case "expired":
    case "cancelled":
      return {
        ...final,
        entry: entry({ changes: [tell(settled, "ended", { moves: closed, end: ending.kind })] }),
      };
    case "in_ward":
    case "quarantined": {
      const moves = { state: ending.kind, rank: rankOf.ward(0) };
      return {
        ...final,
        entry: entry({
          changes: [tell(settled, ending.kind, { moves })],
          admissions: [admissionOf({ ...settled, status: ending.kind })],
        }),
      };
    }
    case "retry": {
      const requeues = settled.requeues + 1;
      const moves = { state: "open", rank: rankOf.delivery(requeues) } as const;
      const send = sendOf(settled.agent, `${settled.messageId}.${requeues}`, "retry");
      return {
        scope: "delivery",
        isCancellable: true,
        entry: entry({ changes: [tell(settled, "retry", { moves })], sends: [send] }),
      };
    }
    case "handed_off":
      return { ...final, entry: entry(handoff(settled, ending)) };
  }
}

function handoff(settled: Settled, { alive, dead }: { alive: number; dead: number }) {
  const children = Array.from({ length: alive + dead }, (_, i) => derivedId(settled.messageId, "child", i));
  const opens = children.map((message_id) => ({ message_id, agent: settled.next }));
  const messages = children.slice(alive).map((messageId) => ({ ...settled, messageId, agent: settled.next }));
  return {
    changes: [
      tell(settled, "handed_off", { moves: { state: "closed", rank: rankOf.closed() }, opens }),
      ...messages.map(({ messageId }): RunChange => ({
        event: eventOf({ ...settled, messageId }, derivedId(messageId, "in_ward"), "in_ward"),
        moves: { state: "in_ward", rank: rankOf.ward(0) },
      })),
    ],
    sends: children.slice(0, alive).map((messageId) => sendOf(settled.next, messageId, "fresh")),
    admissions: messages.map((message) => admissionOf({ ...message, status: "in_ward" })),
  };
}

function tell(settled: Settled, type: RunChange["event"]["type"], telling: Partial<RunChange>): RunChange {
  return {
    event: eventOf(settled, derivedId(settled.messageId, settled.jobId, type), type),
    ...telling,
    cost: settled.spent.costMicro / 1e6,
    tokens: settled.spent.tokens,
    starts: true,
  };
}

export function eventOf(
  of: { readonly runId: string; readonly messageId: string; readonly agent: string },
  id: string,
  type: RunChange["event"]["type"],
): RunChange["event"] {
  const { runId, messageId, agent } = of;
  return { id, run_id: runId, type, at: timestamp(), message_id: messageId, agent, detail: {} };
}

export function sendOf(agent: string, jobId: string, lane: "fresh" | "retry"): Job {
  return { lane, agent, jobId, data: {}, delayMs: lane === "retry" ? 3_600_000 : 0, priority: "normal" };
}

export function admissionOf(message: {
  readonly runId: string;
  readonly messageId: string;
  readonly agent: string;
  readonly status: "in_ward" | "quarantined";
}): Admission {
  return {
    case_id: derivedId("case", message.messageId),
    run_id: message.runId,
    message_id: message.messageId,
    agent: message.agent,
    status: message.status === "in_ward" ? "admitted" : "quarantined",
  };
}

export const CASE_ACTIONS = ["discharge", "redirect", "release", "quarantine", "discard", "restore"] as const;
type CaseAction = (typeof CASE_ACTIONS)[number];

const BY = { by: "surgeon@1", why: "the machine says so", fence: SURGEON_FENCE } as const;

/** Moves one case by what was read of it, which may be long out of date: then nothing may come of it. */
export async function moveOneCase(
  machine: Machine,
  from: StoredCase,
  action: CaseAction | "cancel",
): Promise<void> {
  const { store } = machine;
  const runId = from.fields["run_id"] ?? "";
  const run = machine.run(runId);
  const before = await store.cases.get(from.case_id);
  if (!isPossible(from, action)) return;
  const wasEnded = run.model.isEnded && run.model.status !== "failed";
  try {
    await carryOut(machine, from, action);
  } catch (error) {
    if (!(error instanceof DecisionRefusedError)) throw error;
    expect(wasEnded, "only what ended otherwise refuses to go on").toBe(true);
    return;
  }
  const after = await store.cases.get(from.case_id);
  const isFresh = before.version === from.version;
  expect(after.version, "a change that was worked out from the past is none").toBe(
    before.version + (isFresh ? 1 : 0),
  );
  if (!isFresh) return;
  machine.oldCases.push(before);
  if (action === "discard") run.failed += 1;
  if (action === "restore") run.failed -= 1;
}

function isPossible(from: StoredCase, action: CaseAction | "cancel"): boolean {
  if (action === "restore") return from.status === "discarded";
  return ["admitted", "in_surgery", "quarantined"].includes(from.status);
}

async function carryOut(machine: Machine, from: StoredCase, action: CaseAction | "cancel"): Promise<void> {
  const { store } = machine;
  switch (action) {
    case "discharge":
    case "release":
    case "redirect":
      return replace(machine, from, action);
    case "quarantine":
      await quarantineCase(store, { ...BY, from, diagnosis: "", operation: null });
      return;
    case "discard":
    case "cancel":
      await discardCase(store, { ...BY, from, end: action === "cancel" ? "cancelled" : "failed" });
      return;
    case "restore":
      await restoreCase(store, { ...BY, from });
  }
}

/** What a discharge is without its seal: the case's change and the new message in one script. */
async function replace(
  machine: Machine,
  from: StoredCase,
  action: "discharge" | "release" | "redirect",
): Promise<void> {
  const { store } = machine;
  const { run_id: runId = "", message_id: messageId = "", agent = "" } = from.fields;
  const message_id = derivedId(from.case_id, from.version, "discharge");
  const to = action === "redirect" ? (AGENTS.find((name) => name !== agent) ?? agent) : agent;
  const type = action === "discharge" ? "discharged" : action === "release" ? "released" : "rerouted";
  const id = derivedId("ward", from.case_id, from.version + 1, type);
  const entry: OutboxEntry = {
    id: derivedId("ward", from.case_id, from.version + 1),
    at_ms: now(),
    changes: [
      {
        event: eventOf({ runId, messageId, agent }, id, type),
        moves: { state: "closed", rank: rankOf.closed() },
        opens: [{ message_id, agent: to }],
      },
    ],
    sends: [sendOf(to, message_id, "fresh")],
    admissions: [],
  };
  await store.cases.write({
    caseId: from.case_id,
    expectedVersion: from.version,
    status: action === "release" ? "released" : "discharged",
    fingerprint: "f",
    sets: { discharged_as: message_id },
    outbox: entry,
    audit: null,
    fence: SURGEON_FENCE,
  });
  const { hop } = machine.message(messageId);
  machine.addMessage(message_id, { runId, agent: to, hop: hop + 1 });
}

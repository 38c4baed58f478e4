import { expect } from "vitest";
import { derivedId } from "#shared/clock";
import type { StoredCase } from "#shared/store/cases";
import { rankOf } from "#shared/store/runs";
import type { Effects } from "#shared/store/settlement";
import { DecisionRefusedError } from "#shared/ward";
import { discardCase, quarantineCase, restoreCase } from "#shared/ward/moves";
import { AGENTS, SURGEON_FENCE } from "./machine.ts";
import type { Machine } from "./machine.ts";
import { eventOf, sendOf } from "./settlements.ts";

export const CASE_ACTIONS = ["discharge", "redirect", "release", "quarantine", "discard", "restore"] as const;
export type CaseAction = (typeof CASE_ACTIONS)[number];

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

/** Replaces a case's message like an unsealed discharge: the case's change and the new message in one script. */
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
  const entry: Effects = {
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
    effects: entry,
    audit: null,
    fence: SURGEON_FENCE,
  });
  const { hop } = machine.message(messageId);
  machine.addMessage(message_id, { runId, agent: to, hop: hop + 1 });
}

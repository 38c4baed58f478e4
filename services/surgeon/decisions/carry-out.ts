import { timestamp } from "#shared/clock";
import { agentNameOf } from "#shared/envelope";
import { SutureError } from "#shared/errors";
import type { Objection } from "#shared/proof";
import type { JsonValue } from "#shared/schema";
import {
  DecisionRefusedError,
  discardCase,
  dischargeCase,
  dropDecision,
  findStale,
  isAnotherPerson,
  markCarriedOut,
  quarantineCase,
  restoreCase,
  verifyDecision,
  verifyProposal,
} from "#shared/ward";
import type { Decision, OpenedLetter, OperationRecord, Proposal, Remedy } from "#shared/ward";
import { concernsRun } from "../cases/concerns-run.ts";
import { whatIsUnknown } from "../cases/find-unknown.ts";
import { openLetter, traceparentOfSend } from "../cases/leased-case.ts";
import type { Held } from "../cases/leased-case.ts";
import { examine } from "../cases/repair-context.ts";
import type { Patient } from "../cases/repair-context.ts";
import { proveRepair } from "../prove/prove-repair.ts";
import { learn } from "../recipes/learn.ts";
import { idOf } from "../send/reroute.ts";
import { SURGEON_ID } from "../surgery.ts";
import type { Surgery } from "../surgery.ts";
import { needsTwoPeople } from "./schema-places.ts";

/**
 * Carries out what a person decided, once its signature holds for the case as it stands. What cannot be is taken back,
 * with the reason where the person looks.
 *
 * @returns `operate` where the ladder is to try again, which is left to the caller.
 */
export async function carryOut(surgery: Surgery, held: Held): Promise<"done" | "operate"> {
  const verified = verifyDecision(held.stored, surgery.keyring);
  if ("problem" in verified) {
    await refuseForged(
      surgery,
      held,
      `What was decided about it is not to be believed: ${verified.problem}.`,
    );
    return "done";
  }
  const { decision } = verified;
  const stale = await findStale(surgery.store, decision);
  if (stale !== null) {
    await refuseForged(surgery, held, `What was decided about it is not obeyed: ${stale}.`);
    return "done";
  }
  held.stay.carryOut(decision);
  if (decision.kind === "operate") return "operate";
  await carryOutVerified(surgery, held, decision);
  return "done";
}

/** Does the work of a stay, and remembers the decision that it carried out or took back, so that it counts once. */
export async function carryOutOnce<Result>(
  { store }: Surgery,
  { stay }: Held,
  work: () => Promise<Result>,
): Promise<Result> {
  const result = await work();
  if (stay.settled !== null) await markCarriedOut(store, stay.settled);
  return result;
}

async function refuseForged(surgery: Surgery, held: Held, problem: string): Promise<void> {
  const { case_id } = held.stored;
  surgery.logger.error({ case_id, problem }, "a decision does not verify and is not carried out");
  surgery.metrics?.refusedDecisions.add({ about: "case" });
  await drop(surgery, held, `${problem} A person has to decide anew.`, { alsoProposal: true });
}

async function carryOutVerified(surgery: Surgery, held: Held, decision: Decision): Promise<void> {
  const { by, why } = decision;
  const { stored: from, fence } = held;
  switch (decision.kind) {
    case "operate":
      return;
    case "discard": {
      const isMoved = await discardCase(surgery.store, {
        from,
        by,
        why,
        end: "failed",
        tellsRun: await concernsRun(surgery.store, from, openToDiscard(surgery, held)),
        fence,
      });
      if (isMoved) held.stay.end("discarded");
      return;
    }
    case "restore":
      return restore(surgery, held, decision);
    case "release":
    case "approve":
    case "redirect":
      return release(surgery, held, decision);
    default:
      return decision.kind satisfies never;
  }
}

/** A letter that this release cannot read is discarded like one that nobody can. */
function openToDiscard(surgery: Surgery, { stored }: Held): OpenedLetter | string {
  try {
    return openLetter(surgery, stored);
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    return error.message;
  }
}

async function restore(surgery: Surgery, held: Held, decision: Decision): Promise<void> {
  try {
    const { by, why } = decision;
    const isMoved = await restoreCase(surgery.store, { from: held.stored, by, why, fence: held.fence });
    if (isMoved) held.stay.end("restored");
  } catch (error) {
    if (!(error instanceof DecisionRefusedError)) throw error;
    await drop(surgery, held, error.message);
  }
}

async function drop(
  surgery: Surgery,
  held: Held,
  why: string,
  also: { readonly alsoProposal?: boolean } = {},
): Promise<void> {
  const { stored: from, fence } = held;
  const isMoved = await dropDecision(surgery.store, { from, by: SURGEON_ID, why, fence, ...also });
  if (isMoved) held.stay.end("refused");
}

async function release(surgery: Surgery, held: Held, decision: Decision): Promise<void> {
  const letter = openLetter(surgery, held.stored);
  if (typeof letter === "string") return drop(surgery, held, letter);
  if (letter.envelope === null) return drop(surgery, held, "It never verified, so it cannot be sent on.");
  held.stay.link(letter.envelope.meta.traceparent);
  const patient = examine(surgery, held.stored, letter);
  const planned = planRemedy(surgery, patient, decision);
  if ("forged" in planned) return refuseForged(surgery, held, planned.forged);
  if ("problem" in planned) return drop(surgery, held, planned.problem);
  if ("proposal" in planned) {
    const isMoved = await quarantineCase(surgery.store, {
      from: held.stored,
      by: SURGEON_ID,
      diagnosis: `The change that ${decision.by} proposes needs a second person.`,
      operation: null,
      proposal: planned.proposal,
      fence: held.fence,
    });
    if (isMoved) held.stay.end("quarantined");
    return;
  }
  const { operation, remedy } = planned;
  // The people who signed it stand for it; what it says of other letters has to be proved on them.
  // `planRemedy` parsed it from JSON.
  if (operation !== null)
    await learn(surgery, patient, { value: remedy.value as JsonValue, by: operation.by });
  try {
    const sent = await dischargeCase(surgery.store, {
      from: held.stored,
      letter: patient.letter,
      remedy: planned.remedy,
      keyring: surgery.keyring,
      kind: "released",
      by: decision.by,
      why: decision.why,
      operation: planned.operation,
      fence: held.fence,
      surgeon: SURGEON_ID,
      ...(decision.batch_id === undefined ? {} : { detail: { batch_id: decision.batch_id } }),
      traceparent: traceparentOfSend(held, patient.letter, remedy.to),
    });
    if (sent !== null) held.stay.end("released", operation?.attempts);
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    await drop(surgery, held, `It cannot be sent (${error.code}).`);
  }
}

/** Objections to a machine's repair that are a person's to overrule. */
const MAY_BE_LOST: readonly Objection["code"][] = ["dropped", "shrunk"];

type Plan =
  | { readonly remedy: Remedy; readonly operation: OperationRecord | null }
  | { readonly proposal: Proposal }
  /** What a second person is said to stand for is not what a first one signed. */
  | { readonly forged: string }
  | { readonly problem: string };

function planRemedy(surgery: Surgery, patient: Patient, decision: Decision): Plan {
  if (decision.kind === "redirect") return planRedirect(surgery, patient, decision.to ?? "");
  const proposed = findProposed(surgery, patient, decision);
  if (proposed !== null && !("by" in proposed)) return proposed;
  const { payload } = proposed ?? decision;
  if (payload === undefined) return { remedy: {}, operation: null };
  const unknown = whatIsUnknown(surgery, patient.letter.record);
  if (unknown !== null) return { problem: `${unknown} It cannot check the new value.` };
  // The console, which signed it, took nothing that is not JSON.
  const value = JSON.parse(payload) as JsonValue;
  const proof = proveRepair(patient, { value, provenAs: "person" });
  // A person may take a value away or change it; where that takes two people, leaving it out takes two as well.
  const objections = proof.objections
    .filter(({ code, path }) => !MAY_BE_LOST.includes(code) || needsTwoPeople(patient.schema, path))
    .map((one) => (MAY_BE_LOST.includes(one.code) ? { ...one, code: "second_person" as const } : one));
  const others = objections.filter(({ code }) => code !== "second_person");
  if (others.length > 0) {
    const places = others.slice(0, 10).map(({ path, code }) => `${path || "/"} (${code})`);
    return { problem: `The new value is not acceptable at ${places.join(", ")}.` };
  }
  const paths = [...new Set(objections.map(({ path }) => path))];
  if (paths.length > 0 && proposed === null) {
    return { proposal: { by: decision.by, why: decision.why, at: timestamp(), payload, paths, decision } };
  }
  const operation: OperationRecord = {
    number: patient.operation,
    message_id: patient.letter.record.message_id,
    attempts: [
      {
        procedure: "person",
        outcome: "healed",
        reason: decision.why,
        diff: proof.diff,
        provenance: proof.provenance,
        objections: proof.objections,
        model: null,
        tokens: 0,
        cost: 0,
        duration_ms: 0,
      },
    ],
    by: proposed === null ? decision.by : `${proposed.by} and ${decision.by}`,
    at: timestamp(),
    trimmed: false,
  };
  return {
    remedy: { value, ...(patient.contractId === "" ? {} : { contract: patient.contractId }) },
    operation,
  };
}

/** What the first of two people signed; null where none is needed. */
function findProposed(
  surgery: Surgery,
  { stored }: Patient,
  decision: Decision,
): Decision | Extract<Plan, { forged: string } | { problem: string }> | null {
  if (decision.kind !== "approve") return null;
  if (stored.fields["proposal"] === undefined) return { problem: "No change waits for a second person." };
  const read = verifyProposal(stored, { keyring: surgery.keyring, digest: decision.proposal });
  if ("problem" in read) return { forged: `The change that waits is not to be believed: ${read.problem}.` };
  return isAnotherPerson(read.decision, decision)
    ? read.decision
    : { problem: "The second person has to be another one, and both known by keys of their own." };
}

function planRedirect(surgery: Surgery, patient: Patient, name: string): Plan {
  const { record, envelope } = patient.letter;
  const team = surgery.teams.find((one) => one.name === record.team);
  const to = idOf(team, name);
  if (to === null) return { problem: `Its team has no agent called ${name.slice(0, 64)}.` };
  const accepts = team?.agents.get(name)?.accepts.name;
  if (accepts !== agentNameOf(envelope.meta.contract))
    return { problem: `${to} does not accept its contract.` };
  return { remedy: { to }, operation: null };
}

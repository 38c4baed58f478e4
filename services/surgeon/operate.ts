import { followSignals, timestamp } from "#shared/clock";
import { SutureError } from "#shared/errors";
import type { DeliveredJob, Disposal } from "#shared/store";
import { claimCase, discardCase, dischargeCase, postponeCase, toWardCase } from "#shared/ward";
import type { Attempt, OperationRecord } from "#shared/ward";
import { carryOut } from "./carry-out.ts";
import { giveUp, openLetter } from "./held.ts";
import type { Held } from "./held.ts";
import { climb } from "./ladder.ts";
import { examine } from "./patient.ts";
import type { Patient } from "./patient.ts";
import { triage } from "./procedures/triage.ts";
import { reroute } from "./reroute.ts";
import { SURGEON_ID } from "./surgery.ts";
import type { Surgery } from "./surgery.ts";

/** How long a letter of a newer release waits before it is offered again, in ms. */
const NEWER_RELEASE_WAIT_MS = 2000;

/**
 * Sees to one case as far as it can go now: carries out a person's decision, or climbs the ladder, or leaves it to a
 * person. Whatever it decides is one script with the job's lock as its fence, so that dying anywhere repeats or loses
 * nothing.
 */
export async function operate(surgery: Surgery, job: DeliveredJob): Promise<Disposal> {
  const caseId = job.data["case_id"];
  if (typeof caseId !== "string") return "done";
  const stored = await surgery.store.cases.find(caseId);
  // A case that names another job, or none, was seen to.
  if (stored === null || stored.fields["job_id"] !== job.jobId) return "done";
  const { signal, letGo } = followSignals([job.signal, surgery.stopping]);
  const held: Held = { stored, fence: { jobId: job.jobId, token: job.token }, signal };
  try {
    await seeTo(surgery, held, job.stalls);
    return "done";
  } catch (error) {
    // Nothing was seen to. If the job is another surgeon's by now, giving it back is refused.
    if (signal.aborted) return "return";
    throw error;
  } finally {
    letGo();
  }
}

async function seeTo(surgery: Surgery, held: Held, stalls: number): Promise<void> {
  const { stored, fence } = held;
  const one = toWardCase(stored);
  const isOpen = one.status !== "discarded";
  if (isOpen && (await surgery.store.cases.isRunCancelled(one.agent, one.run_id))) {
    const why = "Its run was cancelled.";
    await discardCase(surgery.store, { from: stored, by: SURGEON_ID, why, end: "cancelled", fence });
    return;
  }
  if (stalls >= surgery.limits.crashesMax) {
    await giveUp(surgery, held, `A surgeon died or stalled over it ${stalls} times.`);
    return;
  }
  if (one.decision !== null && one.decision.kind !== "operate") {
    await carryOut(surgery, held, one.decision);
    return;
  }
  if (one.status !== "admitted" && one.status !== "in_surgery" && one.decision === null) return;
  const claimed = await claimCase(surgery.store, { from: stored, by: SURGEON_ID, fence });
  if (claimed === null) return;
  try {
    await treat(surgery, { ...held, stored: claimed });
  } catch (error) {
    if (!(error instanceof SutureError) || error.failureClass !== "unsupported_version") throw error;
    // Two releases at work: what this one cannot read is not bad, and the next one is on its way.
    const why = `A newer surgeon has to read it (${error.code}).`;
    await postponeCase(surgery.store, {
      from: claimed,
      by: SURGEON_ID,
      fence,
      delayMs: NEWER_RELEASE_WAIT_MS,
      why,
    });
  }
}

async function treat(surgery: Surgery, held: Held): Promise<void> {
  const letter = openLetter(surgery, held.stored);
  if (typeof letter === "string") return giveUp(surgery, held, letter);
  if (letter.envelope === null) return giveUp(surgery, held, "It never verified; nobody has read it.");
  const readable = { record: letter.record, envelope: letter.envelope };
  const wanted = toWardCase(held.stored).decision?.kind;
  if (letter.record.disposition === "reroute" && wanted !== "operate")
    return reroute(surgery, held, readable);
  const patient = examine(surgery, held.stored, readable);
  const judged = triage(patient);
  if (!judged.operable) return giveUp(surgery, held, judged.diagnosis);
  const verdict = await climb(surgery, patient, held.signal);
  switch (verdict.kind) {
    case "wait": {
      const { delayMs, reason } = verdict;
      const { store } = surgery;
      await postponeCase(store, {
        from: held.stored,
        by: SURGEON_ID,
        fence: held.fence,
        delayMs,
        why: reason,
      });
      return;
    }
    case "unhealed":
      return giveUp(surgery, held, verdict.diagnosis, recordOf(patient, verdict.attempts));
    case "healed":
      return send(surgery, held, { patient, value: verdict.value, attempts: verdict.attempts });
    default:
      return verdict satisfies never;
  }
}

async function send(
  surgery: Surgery,
  held: Held,
  healed: { readonly patient: Patient; readonly value: unknown; readonly attempts: readonly Attempt[] },
): Promise<void> {
  const { patient, value, attempts } = healed;
  const last = attempts.at(-1);
  try {
    await dischargeCase(surgery.store, {
      from: held.stored,
      letter: patient.letter,
      remedy: { value, ...(patient.contractId === "" ? {} : { contract: patient.contractId }) },
      keyring: surgery.keyring,
      kind: "discharged",
      by: SURGEON_ID,
      why: last?.reason ?? "",
      operation: recordOf(patient, attempts),
      fence: held.fence,
      surgeon: SURGEON_ID,
      detail: { procedure: last?.procedure ?? null },
    });
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    // Proved, and yet no letter can carry it: too large, or no key for its receiver.
    await giveUp(surgery, held, `The repair cannot be sent (${error.code}).`, recordOf(patient, attempts));
  }
}

function recordOf(patient: Patient, attempts: readonly Attempt[]): OperationRecord {
  return {
    number: patient.operation,
    message_id: patient.letter.record.message_id,
    attempts,
    by: SURGEON_ID,
    at: timestamp(),
    trimmed: false,
  };
}

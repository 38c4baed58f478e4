import { followSignals, now, timestamp } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { SutureError } from "#shared/errors";
import type { FailureClass } from "#shared/errors";
import type { CaseLook, DeliveredJob, Disposal } from "#shared/store";
import {
  claimCase,
  discardCase,
  dischargeCase,
  healingRecipe,
  lastOperation,
  paidAnswerField,
  postponeCase,
  toWardCase,
} from "#shared/ward";
import type { Attempt, OperationRecord } from "#shared/ward";
import { carryOut, carryOutOnce } from "../decisions/carry-out.ts";
import { keepExample } from "../propose/examples/examples.ts";
import { climbFreely } from "../propose/ladder.ts";
import type { Verdict } from "../propose/ladder.ts";
import { consult, endTurn, park, takeTurn } from "../propose/model-turns.ts";
import { countReturned, judgeTrials } from "../recipes/judge-trial.ts";
import { producerOf } from "../recipes/producer-of.ts";
import { reroute } from "../send/reroute.ts";
import { resend } from "../send/resend.ts";
import { SURGEON_ID } from "../surgery.ts";
import type { Surgery } from "../surgery.ts";
import { Stay } from "./case-report.ts";
import { leaveUnread } from "./concerns-run.ts";
import { whatIsUnknown } from "./find-unknown.ts";
import { giveUp, isOwnFault, openLetter, traceparentOfSend } from "./leased-case.ts";
import type { Held } from "./leased-case.ts";
import { examine } from "./repair-context.ts";
import type { Patient } from "./repair-context.ts";
import { triage } from "./triage.ts";

/**
 * How long a letter that another release can read waits before it is offered again, in ms: at first so short, and
 * longer by a share of the time it has lain here.
 */
const OTHER_RELEASE_MS_MIN = 2000;
const OTHER_RELEASE_MS_MAX = 60_000;
const OTHER_RELEASE_SHARE = 10;

/**
 * Sees to one case as far as it can go now: carries out a person's decision, or climbs the ladder, or leaves it to a
 * person. Whatever it decides is one script with the job's lock as its fence, so that dying anywhere repeats or loses
 * nothing.
 */
export async function operate(surgery: Surgery, job: DeliveredJob): Promise<Disposal> {
  const caseId = job.data["case_id"];
  if (typeof caseId !== "string") return "done";
  const look = await surgery.store.cases.look(caseId);
  const { stored } = look;
  // A case that names another job, or none, was seen to.
  if (stored === null || stored.fields["job_id"] !== job.jobId) return "done";
  surgery.shelf.see(look.recipesVersion);
  const { signal, letGo } = followSignals([job.signal, surgery.stopping]);
  const stay = new Stay();
  const fence = { jobId: job.jobId, token: job.token, ticket: job.ticket };
  const held: Held = { stored, fence, stay, signal };
  try {
    const work = (): Promise<Disposal> => seeTo(surgery, held, { ...look, stalls: job.stalls });
    return await stay.run(surgery, stored, () => carryOutOnce(surgery, held, work));
  } catch (error) {
    // Nothing was seen to. If the job is another surgeon's by now, giving it back is refused.
    if (signal.aborted) return "return";
    if (isOwnFault(error)) return breakOff(surgery, held, error);
    throw error;
  } finally {
    letGo();
  }
}

/**
 * Ends a stay in which this code itself failed: it would fail again, with every delivery, and hold up others. The
 * letter is untouched, and a person looks at both.
 */
async function breakOff(surgery: Surgery, held: Held, error: Error): Promise<"done"> {
  const { case_id, fields } = held.stored;
  surgery.logger.error({ err: error, case_id }, "the surgeon's own code failed over a case");
  const present = await surgery.store.cases.find(case_id);
  // Claimed meanwhile by this very job, it has another version.
  if (present === null || present.fields["job_id"] !== fields["job_id"]) return "done";
  const diagnosis = `The surgeon's own code failed over it (${error.name}); its letter is as it came.`;
  return giveUp(surgery, { ...held, stored: present }, diagnosis);
}

interface Seen extends Pick<CaseLook, "isCancelled" | "mustWait"> {
  readonly stalls: number;
}

async function seeTo(surgery: Surgery, held: Held, seen: Seen): Promise<Disposal> {
  const { stored, fence } = held;
  const one = toWardCase(stored);
  if (one.status !== "discarded" && seen.isCancelled) {
    const why = "Its run was cancelled.";
    await discardCase(surgery.store, { from: stored, by: SURGEON_ID, why, end: "cancelled", fence });
    held.stay.end("discarded");
    return "done";
  }
  if (seen.stalls >= surgery.limits.crashesMax) {
    await giveUp(surgery, held, `A surgeon died or stalled over it ${seen.stalls} times.`);
    return "done";
  }
  if (stored.fields["decision"] !== undefined) {
    const whole = seen.mustWait ? await surgery.store.cases.find(stored.case_id) : stored;
    if (whole === null || (await carryOut(surgery, { ...held, stored: whole })) === "done") return "done";
  }
  if (one.status !== "admitted" && one.status !== "in_surgery" && one.decision === null) return "done";
  if (!seen.mustWait) return takeUp(surgery, held);
  if (one.status === "admitted" && (await waits(surgery, held))) return "parked";
  const whole = await surgery.store.cases.find(stored.case_id);
  return whole === null ? "done" : takeUp(surgery, { ...held, stored: whole });
}

/** Whether the case waits for what a model is being asked about its group. Cheap: nothing of it is read. */
async function waits(surgery: Surgery, held: Held): Promise<boolean> {
  if ((await surgery.shelf.of(held.stored.fingerprint)).length > 0) return false;
  return (await park(surgery, held)) === "parked";
}

async function takeUp(surgery: Surgery, held: Held): Promise<Disposal> {
  const { stored, fence } = held;
  // A case that waited for a person is the surgeon's again, and its run is told.
  const claimed =
    stored.status === "quarantined"
      ? await claimCase(surgery.store, { from: stored, by: SURGEON_ID, fence })
      : stored;
  if (claimed === null) return "done";
  try {
    return await treat(surgery, { ...held, stored: claimed });
  } catch (error) {
    if (!(error instanceof SutureError) || error.failureClass !== "unsupported_version") throw error;
    return leaveToOther(
      surgery,
      { ...held, stored: claimed },
      `A newer surgeon has to read it (${error.code}).`,
    );
  }
}

/** Two releases at work: what this one does not know is not bad, and the other one is there or on its way. */
async function leaveToOther(surgery: Surgery, held: Held, why: string): Promise<"done"> {
  const { stored: from, fence } = held;
  const lainMs = now() - from.admitted_ms;
  const delayMs = Math.min(
    OTHER_RELEASE_MS_MAX,
    Math.max(OTHER_RELEASE_MS_MIN, lainMs / OTHER_RELEASE_SHARE),
  );
  surgery.logger.warn({ case_id: from.case_id, why }, "a case waits for another release");
  await postponeCase(surgery.store, { from, by: SURGEON_ID, fence, delayMs, why });
  held.stay.end("postponed");
  return "done";
}

async function treat(surgery: Surgery, held: Held): Promise<Disposal> {
  const letter = openLetter(surgery, held.stored);
  if (typeof letter === "string") return leaveUnread(surgery.store, held, { letter, diagnosis: letter });
  if (letter.envelope === null)
    return leaveUnread(surgery.store, held, { letter, diagnosis: "It never verified; nobody has read it." });
  held.stay.link(letter.envelope.meta.traceparent);
  if (letter.doubt !== null) return giveUp(surgery, held, letter.doubt);
  const wanted = toWardCase(held.stored).decision?.kind;
  if (letter.record.disposition === "reroute" && wanted !== "operate") return reroute(surgery, held, letter);
  const unknown = whatIsUnknown(surgery, letter.record);
  if (unknown !== null) return leaveToOther(surgery, held, unknown);
  const patient = examine(surgery, held.stored, letter);
  const judged = triage(patient);
  if (judged.kind === "person") return giveUp(surgery, held, judged.diagnosis);
  if (judged.kind === "resend") return resend(surgery, held, patient);
  await judgeReplay(surgery, patient);
  // An answer that a surgeon paid for and did not live to use is used, so that its price reaches the run.
  if (isPaid(patient)) return askInTurn(surgery, held, { patient, verdict: UNTRIED });
  const verdict = await climbFreely(surgery, patient);
  if (verdict.kind === "wait") return settle(surgery, held, { patient, verdict });
  await judgeTrials(surgery, held.stored.case_id, verdict.attempts);
  if (verdict.kind === "healed") return settle(surgery, held, { patient, verdict });
  return askInTurn(surgery, held, { patient, verdict });
}

const UNTRIED: Verdict = { kind: "unhealed", diagnosis: "", attempts: [] };

function isPaid({ stored, operation }: Patient): boolean {
  return stored.fields[paidAnswerField(operation, 1)] !== undefined;
}

/** What a letter dies of when its payload is at fault, and so perhaps its repair. */
const OF_THE_PAYLOAD: readonly FailureClass[] = ["parse_error", "validation_error", "content_error"];

/** A letter that a recipe healed and that died of its payload again speaks against that recipe. */
async function judgeReplay(surgery: Surgery, patient: Patient): Promise<void> {
  if (patient.operation === 1) return;
  const recipeId = healingRecipe(lastOperation(patient.stored));
  const died = patient.letter.record.failures[0]?.failure_class;
  if (recipeId === null || died === undefined || !OF_THE_PAYLOAD.includes(died)) return;
  const { case_id: caseId } = patient.stored;
  await countReturned(surgery, recipeId, { caseId, producer: producerOf(patient.letter) });
  await surgery.shelf.refresh();
}

/**
 * Has the model asked, if it is this case's turn; a recipe that was found since the case was looked at comes
 * first.
 */
async function askInTurn(surgery: Surgery, held: Held, on: Judged): Promise<Disposal> {
  const turn = await takeTurn(surgery, held);
  if (turn === "parked" || turn === "return") return turn;
  if (turn === "lost") return "done";
  if (!isPaid(on.patient) && (await surgery.shelf.refresh())) {
    const again = await climbFreely(surgery, on.patient);
    if (again.kind === "healed") {
      await judgeTrials(surgery, held.stored.case_id, again.attempts);
      await settle(surgery, held, { patient: on.patient, verdict: again });
      await endTurn(surgery, held, { kind: "recipe" });
      return "done";
    }
  }
  const before = on.verdict.kind === "wait" ? [] : on.verdict.attempts;
  const consulted = await consult(surgery, held, { patient: on.patient, before });
  if (consulted === null) return "done";
  const { verdict, ended } = consulted;
  await settle(surgery, consulted.held, {
    patient: { ...on.patient, stored: consulted.held.stored },
    verdict,
  });
  await endTurn(surgery, held, ended);
  return "done";
}

interface Judged {
  readonly patient: Patient;
  readonly verdict: Verdict;
}

/** Writes down what the ladder came to. */
async function settle(surgery: Surgery, held: Held, { patient, verdict }: Judged): Promise<"done"> {
  switch (verdict.kind) {
    case "wait": {
      const { delayMs, reason: why } = verdict;
      const { stored: from, fence } = held;
      await postponeCase(surgery.store, { from, by: SURGEON_ID, fence, delayMs, why });
      held.stay.end("postponed");
      return "done";
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
): Promise<"done"> {
  const { patient, value, attempts } = healed;
  const last = attempts.at(-1);
  crashPoint("W16:before_verdict");
  let sent;
  try {
    sent = await dischargeCase(surgery.store, {
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
      traceparent: traceparentOfSend(held, patient.letter),
    });
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    // Proved, and yet no letter can carry it: too large, or no key for its receiver.
    return giveUp(surgery, held, `The repair cannot be sent (${error.code}).`, recordOf(patient, attempts));
  }
  crashPoint("W17:after_verdict_before_example");
  if (sent !== null) held.stay.end("discharged", attempts);
  if (sent !== null && last !== undefined) await keepExample(surgery, patient, last);
  return "done";
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

import { now, random, timestamp } from "#shared/clock";
import { SutureError } from "#shared/errors";
import { dischargeCase, postponeCase, toWardCase } from "#shared/ward";
import type { OperationRecord } from "#shared/ward";
import { giveUp } from "../cases/leased-case.ts";
import type { Held } from "../cases/leased-case.ts";
import type { Patient } from "../cases/repair-context.ts";
import { SURGEON_ID } from "../surgery.ts";
import type { Surgery } from "../surgery.ts";

/** Each wait is so many times as long as the one before. */
const LONGER_BY = 10;

const WHY = "Only what its agent needs had failed; it is sent on as it stands.";

/**
 * Sends a letter on as it stands once what its agent needs has had time to come back: after `resendDelayMs`, and ten
 * times as long if it dies again; at once where a person asked for it. Until then the case waits. Costs no money; the
 * ward leaves a letter to people that comes back once more (`OPERATIONS_MAX`).
 */
export async function resend(surgery: Surgery, held: Held, patient: Patient): Promise<"done"> {
  const { store, keyring, limits } = surgery;
  const { stored: from, fence } = held;
  const { record } = patient.letter;
  const waitMs = limits.resendDelayMs * LONGER_BY ** (patient.operation - 1);
  const leftMs = Date.parse(record.at) + waitMs - now();
  if (leftMs > 0 && toWardCase(from).decision?.kind !== "operate") {
    const why = "What its agent needs did not answer; it is sent on as it stands in a while.";
    const delayMs = leftMs + random() * waitMs;
    await postponeCase(store, { from, by: SURGEON_ID, fence, delayMs, why });
    return "done";
  }
  try {
    await dischargeCase(store, {
      from,
      letter: patient.letter,
      remedy: {},
      keyring,
      kind: "discharged",
      by: SURGEON_ID,
      why: WHY,
      operation: operationOf(patient),
      fence,
      surgeon: SURGEON_ID,
      detail: { procedure: "triage" },
    });
    return "done";
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    return giveUp(surgery, held, `It cannot be sent on (${error.code}).`);
  }
}

function operationOf(patient: Patient): OperationRecord {
  return {
    number: patient.operation,
    message_id: patient.letter.record.message_id,
    attempts: [
      {
        procedure: "triage",
        outcome: "healed",
        reason: WHY,
        diff: [],
        provenance: [],
        objections: [],
        model: null,
        tokens: 0,
        cost: 0,
        duration_ms: 0,
      },
    ],
    by: SURGEON_ID,
    at: timestamp(),
    trimmed: false,
  };
}

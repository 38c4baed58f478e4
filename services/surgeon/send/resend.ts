import { now, random } from "#shared/clock";
import { SURGEON_ID } from "#shared/envelope";
import { toWardCase } from "#shared/ward";
import { discharge, postpone, quarantine } from "../cases/leased-case.ts";
import type { LeasedCase } from "../cases/leased-case.ts";
import { freeAttempt, operationOf } from "../cases/repair-context.ts";
import type { RepairContext } from "../cases/repair-context.ts";

/** Factor from one wait to the next. */
const BACKOFF_FACTOR = 10;

const WHY = "Only what its agent needs had failed; it is sent on as it stands.";

/**
 * Resends a message unchanged after `resendDelayMs`, with jitter, and after ten times that if it fails again; at once
 * if a person asked for it. Costs no money. After `OPERATIONS_OF_CASE_MAX` stays the ward quarantines the message.
 */
export async function resend(leased: LeasedCase, context: RepairContext): Promise<"done"> {
  const { surgery, stored } = leased;
  const { message, operation } = context;
  const waitMs = surgery.limits.resendDelayMs * BACKOFF_FACTOR ** (operation - 1);
  const leftMs = Date.parse(message.record.at) + waitMs - now();
  if (leftMs > 0 && toWardCase(stored).decision?.kind !== "operate") {
    const why = "What its agent needs did not answer; it is sent on as it stands in a while.";
    return postpone(leased, leftMs + random() * waitMs, why);
  }
  const sent = await discharge(leased, message, {
    remedy: {},
    kind: "discharged",
    by: SURGEON_ID,
    why: WHY,
    operation: operationOf(context, [freeAttempt("triage", WHY)]),
    detail: { procedure: "triage" },
  });
  return sent instanceof Error ? quarantine(leased, `It cannot be sent on (${sent.code}).`) : "done";
}

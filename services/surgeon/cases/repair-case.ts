import { SURGEON_ID } from "#shared/envelope";
import { SutureError } from "#shared/errors";
import { PAYLOAD_FAILURES } from "#shared/errors";
import type { Disposal } from "#shared/store/queues";
import { claimCase, healingRecipe } from "#shared/ward/moves";
import { lastOperation, toWardCase } from "#shared/ward";
import { runLadder } from "../propose/run-ladder.ts";
import { countReturned } from "../recipes/judge-trial.ts";
import { producerOf } from "../recipes/producer-of.ts";
import { reroute } from "../send/reroute.ts";
import { resend } from "../send/resend.ts";
import type { Surgery } from "../surgery.ts";
import { quarantine, quarantineUnread, waitForOtherRelease } from "./end-case.ts";
import { findUnknown } from "./find-unknown.ts";
import type { LeasedCase } from "./leased-case.ts";
import { openMessage } from "./read-message.ts";
import { repairContextOf } from "./repair-context.ts";
import type { RepairContext } from "./repair-context.ts";
import { triage } from "./triage.ts";

/** Claims a case back from people, verifies its message, and repairs, resends or reroutes it. */
export async function repairCase(leased: LeasedCase): Promise<Disposal> {
  const { surgery, stored: from, fence } = leased;
  const stored =
    from.status === "quarantined" ? await claimCase(surgery.store, { from, by: SURGEON_ID, fence }) : from;
  if (stored === null) return "done";
  const claimed = { ...leased, stored };
  try {
    return await repairClaimed(claimed);
  } catch (error) {
    if (!(error instanceof SutureError) || error.failureClass !== "unsupported_version") throw error;
    return waitForOtherRelease(claimed, `A newer surgeon has to read it (${error.code}).`);
  }
}

async function repairClaimed(leased: LeasedCase): Promise<Disposal> {
  const { surgery, stored, report } = leased;
  const message = openMessage(surgery, stored);
  if (typeof message === "string") return quarantineUnread(leased, message, message);
  if (message.envelope === null)
    return quarantineUnread(leased, message, "It never verified; nobody has read it.");
  report.link(message.envelope.meta.traceparent);
  if (message.doubt !== null) return quarantine(leased, message.doubt);
  const wanted = toWardCase(stored).decision?.kind;
  if (message.record.disposition === "reroute" && wanted !== "operate") return reroute(leased, message);
  const unknown = findUnknown(surgery, message.record);
  if (unknown !== null) return waitForOtherRelease(leased, unknown);
  const context = repairContextOf(surgery, stored, message);
  const judged = triage(context);
  if (judged.kind === "person") return quarantine(leased, judged.diagnosis);
  if (judged.kind === "resend") return resend(leased, context);
  await countFailedRecipe(surgery, context);
  return runLadder(leased, context);
}

/** Counts a failure against the recipe whose repair failed on its payload again. */
async function countFailedRecipe(surgery: Surgery, context: RepairContext): Promise<void> {
  if (context.operation === 1) return;
  const recipeId = healingRecipe(lastOperation(context.stored));
  const failure = context.message.record.failures[0]?.failure_class;
  if (recipeId === null || failure === undefined || !PAYLOAD_FAILURES.includes(failure)) return;
  const { case_id: caseId } = context.stored;
  await countReturned(surgery, recipeId, { caseId, producer: producerOf(context.message) });
  await surgery.recipeCache.refresh();
}

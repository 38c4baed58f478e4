import { SURGEON_ID } from "#shared/envelope";
import { SutureError } from "#shared/errors";
import type { JsonValue } from "#shared/schema";
import { DecisionRefusedError, toWardCase } from "#shared/ward";
import { dropDecision, restoreCase } from "#shared/ward/moves";
import type { Decision } from "#shared/ward/decisions";
import type { OpenedDeadMessage } from "#shared/ward";
import { mayUpdateRun, discard, discharge, quarantine, openMessage, repairContextOf } from "../cases/case.ts";
import type { LeasedCase } from "../cases/case.ts";
import { learn } from "../recipes/learn.ts";
import { planRemedy } from "./plan-remedy.ts";

/** Carries out a decision, or withdraws it with the reason. @returns `operate` if the ladder is to be tried again. */
export async function carryOut(leased: LeasedCase): Promise<"done" | "operate"> {
  const { surgery, stored } = leased;
  const { decision } = toWardCase(stored);
  if (decision === null)
    return withdraw(leased, "What was decided about it cannot be read. A person has to decide anew.");
  const { by, why } = decision;
  switch (decision.kind) {
    case "operate":
      return "operate";
    case "discard": {
      const updatesRun = await mayUpdateRun(surgery.store, stored, openToDiscard(leased));
      return discard(leased, { by, why, end: "failed", updatesRun });
    }
    case "restore":
      return restore(leased, decision);
    case "release":
    case "approve":
    case "redirect":
      return release(leased, decision);
    default:
      return decision.kind satisfies never;
  }
}

/** Opens a message to discard it, also one that this release cannot read. */
function openToDiscard({ surgery, stored }: LeasedCase): OpenedDeadMessage | string {
  try {
    return openMessage(surgery, stored);
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    return error.message;
  }
}

async function restore(leased: LeasedCase, { by, why }: Decision): Promise<"done"> {
  const { surgery, stored: from, fence, report } = leased;
  try {
    if (await restoreCase(surgery.store, { from, by, why, fence })) report.end("restored");
    return "done";
  } catch (error) {
    if (!(error instanceof DecisionRefusedError)) throw error;
    return withdraw(leased, error.message);
  }
}

/** Removes a decision that cannot be carried out. */
async function withdraw({ surgery, stored: from, fence, report }: LeasedCase, why: string): Promise<"done"> {
  if (await dropDecision(surgery.store, { from, by: SURGEON_ID, why, fence })) report.end("refused");
  return "done";
}

async function release(leased: LeasedCase, decision: Decision): Promise<"done"> {
  const { surgery, stored, report } = leased;
  const message = openMessage(surgery, stored);
  if (typeof message === "string") return withdraw(leased, message);
  if (message.envelope === null) return withdraw(leased, "It never verified, so it cannot be sent on.");
  report.link(message.envelope.meta.traceparent);
  const context = repairContextOf(surgery, stored, message);
  const planned = planRemedy(surgery, context, decision);
  if ("problem" in planned) return withdraw(leased, planned.problem);
  if ("proposal" in planned) {
    const diagnosis = `The change that ${decision.by} proposes needs a second person.`;
    return quarantine(leased, diagnosis, { proposal: planned.proposal });
  }
  const { operation, remedy } = planned;
  // People vouch for this message only; on others its recipe must be proved. `planRemedy` parsed the value.
  if (operation !== null)
    await learn(surgery, context, { value: remedy.value as JsonValue, by: operation.by });
  const sent = await discharge(leased, message, {
    remedy,
    kind: "released",
    by: decision.by,
    why: decision.why,
    operation,
    ...(decision.batch_id === undefined ? {} : { detail: { batch_id: decision.batch_id } }),
  });
  return sent instanceof Error ? withdraw(leased, `It cannot be sent (${sent.code}).`) : "done";
}

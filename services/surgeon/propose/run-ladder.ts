import { now } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { SURGEON_ID } from "#shared/envelope";
import type { SlotEnd } from "#shared/store/cases";
import type { Disposal } from "#shared/store/queues";
import { paidAnswerField } from "#shared/ward";
import { claimCase } from "#shared/ward/moves";
import type { Attempt } from "#shared/ward/moves";
import { discharge, postpone, quarantine } from "../cases/leased-case.ts";
import type { LeasedCase } from "../cases/leased-case.ts";
import { operationOf } from "../cases/repair-context.ts";
import type { RepairContext } from "../cases/repair-context.ts";
import { judgeTrials } from "../recipes/judge-trial.ts";
import { learn } from "../recipes/learn.ts";
import type { Surgery } from "../surgery.ts";
import { tryFreeProcedures, tryPaidProcedures } from "./ladder.ts";
import type { Verdict } from "./ladder.ts";
import { endModelSlot, takeModelSlot } from "./model-slots.ts";

/** Runs the ladder: the free procedures, then the model; records their attempts. */
export async function runLadder(leased: LeasedCase, context: RepairContext): Promise<Disposal> {
  const { surgery, stored } = leased;
  // Uses an answer that a crashed surgeon paid for, so that its price reaches the run.
  if (hasPaidAnswer(context)) return runPaid(leased, context, UNTRIED);
  const verdict = await tryFreeProcedures(surgery, context);
  if (verdict.kind === "wait") return settleVerdict(leased, context, verdict);
  await judgeTrials(surgery, stored.case_id, verdict.attempts);
  return verdict.kind === "healed"
    ? settleVerdict(leased, context, verdict)
    : runPaid(leased, context, verdict);
}

type Unhealed = Extract<Verdict, { kind: "unhealed" }>;

const UNTRIED: Unhealed = { kind: "unhealed", diagnosis: "", attempts: [] };

function hasPaidAnswer({ stored, operation }: RepairContext): boolean {
  return stored.fields[paidAnswerField(operation, 1)] !== undefined;
}

/** Asks the model once the group has a free slot, unless a recipe was learned in the meantime. */
async function runPaid(leased: LeasedCase, context: RepairContext, before: Unhealed): Promise<Disposal> {
  const { surgery, stored } = leased;
  const slot = await takeModelSlot(leased);
  if (slot === "parked" || slot === "return") return slot;
  if (slot === "lost") return "done";
  if (!hasPaidAnswer(context) && (await surgery.recipeCache.refresh())) {
    const again = await tryFreeProcedures(surgery, context);
    if (again.kind === "healed") {
      await judgeTrials(surgery, stored.case_id, again.attempts);
      await settleVerdict(leased, context, again);
      await endModelSlot(leased, { kind: "recipe" });
      return "done";
    }
  }
  const asked = await askModel(leased, context, before.attempts);
  if (asked === null) return "done";
  await settleVerdict(asked.leased, { ...context, stored: asked.leased.stored }, asked.verdict);
  await endModelSlot(leased, asked.ended);
  return "done";
}

/**
 * Claims the case, tries the paid procedures, and learns from a repair that was proved.
 *
 * @returns null if the case is another job's by now.
 */
async function askModel(
  leased: LeasedCase,
  context: RepairContext,
  before: readonly Attempt[],
): Promise<{ readonly verdict: Verdict; readonly leased: LeasedCase; readonly ended: SlotEnd } | null> {
  const { surgery, stored: from, fence, signal } = leased;
  crashPoint("W16:after_turn_before_claim");
  const stored = await claimCase(surgery.store, { from, by: SURGEON_ID, fence });
  if (stored === null) return null;
  crashPoint("W16:after_claim_before_question");
  const claimed = { ...context, stored };
  const verdict = await tryPaidProcedures(surgery, claimed, { before, signal });
  return { verdict, leased: { ...leased, stored }, ended: await endOf(surgery, claimed, verdict) };
}

async function endOf(surgery: Surgery, context: RepairContext, verdict: Verdict): Promise<SlotEnd> {
  if (verdict.kind === "wait") return { kind: "rest", untilMs: now() + verdict.delayMs, why: verdict.reason };
  if (verdict.kind === "unhealed") return { kind: "no_recipe" };
  const { value, recipe } = verdict;
  const isUsable = await learn(surgery, context, { value, proposed: recipe, by: SURGEON_ID });
  return { kind: isUsable ? "recipe" : "no_recipe" };
}

/** Ends a case by what the ladder came to: postpones, quarantines, or sends the repair. */
async function settleVerdict(leased: LeasedCase, context: RepairContext, verdict: Verdict): Promise<"done"> {
  switch (verdict.kind) {
    case "wait":
      return postpone(leased, verdict.delayMs, verdict.reason);
    case "unhealed":
      return quarantine(leased, verdict.diagnosis, { operation: operationOf(context, verdict.attempts) });
    case "healed":
      return sendRepair(leased, context, verdict);
    default:
      return verdict satisfies never;
  }
}

async function sendRepair(
  leased: LeasedCase,
  context: RepairContext,
  { value, attempts }: Extract<Verdict, { kind: "healed" }>,
): Promise<"done"> {
  const last = attempts.at(-1);
  const operation = operationOf(context, attempts);
  crashPoint("W16:before_verdict");
  const sent = await discharge(leased, context.message, {
    remedy: { value, ...(context.contractId === "" ? {} : { contract: context.contractId }) },
    kind: "discharged",
    by: SURGEON_ID,
    why: last?.reason ?? "",
    operation,
    detail: { procedure: last?.procedure ?? null },
  });
  // Proved, and yet no message can carry it: too large, or no key for its receiver.
  if (sent instanceof Error)
    return quarantine(leased, `The repair cannot be sent (${sent.code}).`, { operation });
  return "done";
}

import type { Disposal } from "#shared/store/queues";
import { paidAnswerField } from "#shared/ward";
import type { LeasedCase } from "../cases/leased-case.ts";
import type { RepairContext } from "../cases/repair-context.ts";
import { judgeTrials } from "../recipes/judge-trial.ts";
import { settleVerdict } from "../send/settle-verdict.ts";
import { tryFreeProcedures } from "./ladder.ts";
import type { Verdict } from "./ladder.ts";
import { askModel, endModelSlot, takeModelSlot } from "./model-slots.ts";

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

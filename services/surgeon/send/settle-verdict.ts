import { crashPoint } from "#shared/crash-points";
import { SURGEON_ID } from "#shared/envelope";
import { discharge, postpone, quarantine } from "../cases/end-case.ts";
import type { LeasedCase } from "../cases/leased-case.ts";
import { operationOf } from "../cases/repair-context.ts";
import type { RepairContext } from "../cases/repair-context.ts";
import { keepExample } from "../propose/examples/examples.ts";
import type { Verdict } from "../propose/ladder.ts";

/** Ends a case by what the ladder came to: postpones, quarantines, or sends the repair. */
export async function settleVerdict(
  leased: LeasedCase,
  context: RepairContext,
  verdict: Verdict,
): Promise<"done"> {
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
  crashPoint("W17:after_verdict_before_example");
  if (sent === "sent" && last !== undefined) await keepExample(leased.surgery, context, last);
  return "done";
}

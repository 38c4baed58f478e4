import type { StoredCase } from "#shared/store/cases";
import { findUnknown } from "../cases/find-unknown.ts";
import { openMessage } from "../cases/read-message.ts";
import { faultsOf, repairContextOf } from "../cases/repair-context.ts";
import { triage } from "../cases/triage.ts";
import { tryFreeProcedures } from "../propose/ladder.ts";
import type { Surgery } from "../surgery.ts";

/**
 * For a dry run: whether the procedures that cost nothing would heal this case, with proof (`operate`), or its contract
 * takes it as it is (`release`): a message that its receiver would refuse as before dies again. Touches nothing.
 */
export async function wouldPass(
  surgery: Surgery,
  stored: StoredCase,
  decision: "operate" | "release",
): Promise<boolean> {
  const message = openMessage(surgery, stored);
  if (typeof message === "string" || message.envelope === null) return false;
  if (findUnknown(surgery, message.record) !== null) return false;
  const context = repairContextOf(surgery, stored, message);
  if (decision === "release") return faultsOf(context).length === 0;
  if (message.doubt !== null) return false;
  const judged = triage(context);
  if (judged.kind !== "operate") return judged.kind === "resend";
  return (await tryFreeProcedures(surgery, context)).kind === "healed";
}

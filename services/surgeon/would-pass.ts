import type { StoredCase } from "#shared/store";
import { openLetter } from "./held.ts";
import { whatIsUnknown } from "./known.ts";
import { climbFreely } from "./ladder.ts";
import { examine } from "./patient.ts";
import { triage } from "./procedures/triage.ts";
import type { Surgery } from "./surgery.ts";

/** For a dry run: whether the procedures that cost nothing would heal this case, with proof. Touches nothing. */
export async function wouldPass(surgery: Surgery, stored: StoredCase): Promise<boolean> {
  const letter = openLetter(surgery, stored);
  if (typeof letter === "string" || letter.envelope === null) return false;
  if (whatIsUnknown(surgery, letter.record) !== null) return false;
  const patient = examine(surgery, stored, { record: letter.record, envelope: letter.envelope });
  if (!triage(patient).operable) return false;
  return (await climbFreely(surgery, patient)).kind === "healed";
}

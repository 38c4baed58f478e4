import type { Store } from "#shared/store";
import { ENDED_STATUSES } from "#shared/store/runs";
import { toWardCase } from "../ward-case.ts";

/** Result of a decided message: `under_way`; `went_on` (healed); `died_again`: in the ward; `ended`: not sent. */
export type DischargeResult = "under_way" | "went_on" | "died_again" | "ended";

/** @param left.messages - Number of messages that the case had when it was redriven. */
export async function verifyDischarge(
  store: Store,
  left: { readonly caseId: string; readonly messages: number },
): Promise<DischargeResult> {
  const stored = await store.cases.findHead(left.caseId);
  if (stored === null) return "ended";
  const present = toWardCase(stored);
  if (present.messages > left.messages) return "died_again";
  // A decision is pending, or the surgeon is working on it.
  if (present.decision !== null || present.status === "in_surgery" || present.status === "admitted")
    return "under_way";
  if (present.status !== "discharged" && present.status !== "released") return "ended";
  const run = await store.runs.find(present.run_id);
  if (run === null) return "ended";
  const message = (await store.runs.messages(present.run_id)).find(
    (one) => one.message_id === present.discharged_as,
  );
  if (message?.state === "closed") return "went_on";
  if (message?.state === "in_ward" || message?.state === "quarantined") return "died_again";
  return ENDED_STATUSES.includes(run.status) ? "went_on" : "under_way";
}

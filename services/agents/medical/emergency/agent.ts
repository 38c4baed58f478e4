import { agent } from "#shared/runtime";
import { Alarm } from "../contracts.ts";
import type { DutyDesk, Page } from "./duty-desk.ts";

/** Said to the patient, word for word; no model has a part in it. */
const NOTICE =
  "What you describe may be an emergency. Call your emergency number now (112 or 911) or have somebody call.";

/** The same where a person has to say whether it is an emergency. */
const DOUBTFUL_NOTICE =
  "If it gets worse, or you feel that it cannot wait, call your emergency number now (112 or 911).";

const TOLD = "A person here has been told.";
const NOBODY_TOLD =
  "Nobody here has been told: this practice has no duty desk. Please call a doctor yourself.";

function noticeOf(certain: boolean, isRead: boolean): string {
  if (!isRead) return `${certain ? NOTICE : DOUBTFUL_NOTICE} ${NOBODY_TOLD}`;
  return certain
    ? `${NOTICE} ${TOLD}`
    : `A person here has been told and reads what you wrote. ${DOUBTFUL_NOTICE}`;
}

/** Time to live of an alarm that the desk has not taken, in ms. After it the alarm waits in quarantine. */
const HEARD_WITHIN_MS = 300_000;

/** Pages the people on duty, once for each run, and answers the patient to call for help. Asks no model. */
export const createEmergency = (desk: DutyDesk) =>
  agent("emergency@1", {
    accepts: Alarm,
    description: "Tells the people on duty of signs of an emergency, and of what only a person can judge.",
    capabilities: ["escalation"],
    // Retried until the desk has taken it or the message expires.
    deliveriesMax: Infinity,
    ttlMs: HEARD_WITHIN_MS,
    guard: { mayCause: ["page"] },
    handle: async (alarm, ctx) => {
      const page = (key: string, signal: AbortSignal) => desk.page(alarm, key, signal);
      // The desk knows the idempotency key.
      const reconcile = (): Promise<{ readonly done: false }> => Promise.resolve({ done: false });
      const paged: Partial<Page> & Pick<Page, "ticket_id"> = await ctx.once(
        `page:${ctx.envelope.meta.run_id}`,
        page,
        { reconcile },
      );
      return ctx.complete({
        status: alarm.certain ? "emergency" : "for_a_person",
        visit_id: alarm.visit_id,
        signs: alarm.signs,
        ticket_id: paged.ticket_id,
        // Tickets of releases before do not say.
        message: noticeOf(alarm.certain, paged.is_read === true),
      });
    },
  });

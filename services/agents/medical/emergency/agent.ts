import { agent } from "#shared/runtime";
import { Alarm } from "../contracts.ts";
import type { DutyDesk } from "./duty-desk.ts";

/** Said to the patient, word for word; no model has a part in it. */
const NOTICE =
  "What you describe may be an emergency. Call your emergency number now (112 or 911) or have somebody call. A person here has been told.";

/** Life of an alarm that the desk has not taken, in ms: five minutes. After it the alarm waits in quarantine. */
const HEARD_WITHIN_MS = 300_000;

/** Tells the people on duty, once for each run, and tells the patient to call for help. Asks no model. */
export const createEmergency = (desk: DutyDesk) =>
  agent("emergency@1", {
    accepts: Alarm,
    description: "Tells the people on duty of signs of an emergency.",
    capabilities: ["escalation"],
    // Until somebody has heard of it, or the message expires and waits for a person by itself.
    deliveriesMax: Infinity,
    ttlMs: HEARD_WITHIN_MS,
    guard: { mayCause: ["page"] },
    handle: async (alarm, ctx) => {
      const page = (key: string, signal: AbortSignal) => desk.page(alarm, key, signal);
      // The desk knows the key: told twice, it hears once.
      const reconcile = (): Promise<{ readonly done: false }> => Promise.resolve({ done: false });
      const { ticket_id } = await ctx.once(`page:${ctx.envelope.meta.run_id}`, page, { reconcile });
      return ctx.complete({
        status: "emergency",
        visit_id: alarm.visit_id,
        signs: alarm.signs,
        ticket_id,
        message: NOTICE,
      });
    },
  });

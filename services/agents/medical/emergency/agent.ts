import { z } from "zod";
import { agent } from "#shared/runtime";
import type { OutsideAddress } from "#shared/config";
import { askOutside } from "#shared/http/outside";
import { Alarm } from "../contracts.ts";
import { DutyDeskUnavailableError } from "../errors.ts";
import type { EmergencySign } from "./find-emergency-signs.ts";

interface Page {
  readonly ticket_id: string;
  /** False: the ticket is in the sandbox of a cluster that is no rehearsal, so that no person reads it. */
  readonly is_read: boolean;
}

/** The inbox of the people on duty. */
export interface DutyDesk {
  /** Opens one ticket for each idempotency key. @throws {DutyDeskUnavailableError} */
  page(
    alarm: {
      readonly visit_id: string;
      readonly signs: readonly EmergencySign[];
      /** False: perhaps it is none. */
      readonly certain: boolean;
    },
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<Page>;
}

const TIMEOUT_MS = 5000;
const ticketSchema = z.object({ ticket_id: z.string().min(1).max(100) });

/** Opens the inbox over HTTP. @param address - Asked at each call: loading a team needs no configuration yet. */
export function createDutyDesk(address: () => OutsideAddress & { readonly isRehearsal: boolean }): DutyDesk {
  return {
    async page({ visit_id, signs, certain }, idempotencyKey, signal) {
      const { url, token, isSandbox, isRehearsal } = address();
      const ticket = {
        queue: "people",
        title: `${certain ? "Emergency signs" : "Perhaps an emergency: please read"} in visit ${visit_id}`,
        body: signs.map(({ sign, quote }) => `${sign}: ${quote}`).join("\n"),
        severity: certain ? "critical" : "high",
      };
      const [path, answer] = ["tickets", ticketSchema] as const;
      const asked = { path, body: ticket, idempotencyKey, answer, timeoutMs: TIMEOUT_MS, signal };
      const made = await askOutside("The duty desk", { url, token }, asked).catch((cause: unknown) => {
        signal.throwIfAborted();
        throw new DutyDeskUnavailableError(cause);
      });
      if (made === null) throw new DutyDeskUnavailableError();
      return { ...made, is_read: !isSandbox || isRehearsal };
    },
  };
}

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
      const { ticket_id, is_read } = await ctx.once(`page:${ctx.envelope.meta.run_id}`, page, { reconcile });
      return ctx.complete({
        status: alarm.certain ? "emergency" : "for_a_person",
        visit_id: alarm.visit_id,
        signs: alarm.signs,
        ticket_id,
        message: noticeOf(alarm.certain, is_read),
      });
    },
  });

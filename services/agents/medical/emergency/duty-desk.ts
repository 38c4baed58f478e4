import { z } from "zod";
import type { OutsideAddress } from "#shared/config";
import { DutyDeskUnavailableError } from "../errors.ts";
import type { EmergencySign } from "./find-emergency-signs.ts";

/** A ticket for the people on duty. */
export interface Page {
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

export interface DutyDeskOptions {
  /** Asked at each call, so that loading a team needs no configuration yet. */
  readonly address: () => OutsideAddress & { readonly isRehearsal: boolean };
  /** Default 5,000 ms. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5000;
const ticketSchema = z.object({ ticket_id: z.string().min(1).max(100) });

/** Opens the inbox over HTTP. */
export function createDutyDesk({ address, timeoutMs = TIMEOUT_MS }: DutyDeskOptions): DutyDesk {
  return {
    async page({ visit_id, signs, certain }, idempotencyKey, signal) {
      const { url, token, isSandbox, isRehearsal } = address();
      const ticket = {
        queue: "people",
        title: `${certain ? "Emergency signs" : "Perhaps an emergency: please read"} in visit ${visit_id}`,
        body: signs.map(({ sign, quote }) => `${sign}: ${quote}`).join("\n"),
        severity: certain ? "critical" : "high",
      };
      const response = await fetch(`${url}/tickets`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "idempotency-key": idempotencyKey,
          ...(token === null ? {} : { authorization: `Bearer ${token.reveal()}` }),
        },
        body: JSON.stringify(ticket),
        redirect: "error",
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      }).catch((cause: unknown) => {
        if (signal.aborted) throw signal.reason;
        throw new DutyDeskUnavailableError({ cause });
      });
      if (!response.ok) throw new DutyDeskUnavailableError({ status: response.status });
      const parsed = ticketSchema.safeParse(await response.json().catch(() => null));
      if (!parsed.success) throw new DutyDeskUnavailableError({ status: response.status });
      return { ...parsed.data, is_read: !isSandbox || isRehearsal };
    },
  };
}

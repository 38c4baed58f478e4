import { z } from "zod";
import { OutsideSystem } from "./outside-system.ts";
import type { OutsideOptions } from "./outside-system.ts";

const Lead = z.object({ lead_id: z.string() });

export type Lead = z.output<typeof Lead>;

/** Somebody who may buy. `score` is 0 to 100. */
export interface LeadDraft {
  readonly customer_email: string;
  readonly company: string | null;
  readonly seats: number | null;
  readonly score: number;
  readonly summary: string;
}

export interface Crm {
  createLead(draft: LeadDraft, idempotencyKey: string, signal: AbortSignal): Promise<Lead>;
}

export function createCrm(options: OutsideOptions): Crm {
  const crm = new OutsideSystem("crm", options);
  return {
    createLead: (draft, idempotencyKey, signal) =>
      crm.act({ path: "crm/leads", body: draft, idempotencyKey, answer: Lead, signal }),
  };
}

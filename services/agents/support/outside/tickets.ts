import { z } from "zod";
import { OutsideSystem } from "./outside-system.ts";
import type { OutsideOptions } from "./outside-system.ts";

const Ticket = z.object({ ticket_id: z.string() });

export type Ticket = z.output<typeof Ticket>;

/** A piece of work for a person. `queue` names their inbox. */
export interface TicketDraft {
  readonly queue: "operations" | "product" | "people";
  readonly title: string;
  readonly body: string;
  readonly severity: "low" | "medium" | "high" | "critical";
}

export interface Tickets {
  open(draft: TicketDraft, idempotencyKey: string, signal: AbortSignal): Promise<Ticket>;
}

export function createTickets(options: OutsideOptions): Tickets {
  const desk = new OutsideSystem("tickets", options);
  return {
    open: (draft, idempotencyKey, signal) =>
      desk.act({ path: "tickets", body: draft, idempotencyKey, answer: Ticket, signal }),
  };
}

import { z } from "zod";
import { contract } from "#shared/contract";

export const TicketNote = contract(
  "operations.ticket@1",
  z.object({
    title: z.string().min(1).max(120).meta({ "x-surgeon-writes": true }),
    body: z.string().min(1).max(2000).meta({ "x-surgeon-writes": true }),
    severity: z.enum(["low", "medium", "high"]).meta({
      "x-synonyms": {
        low: ["minor", "p4"],
        medium: ["normal", "moderate", "p3"],
        high: ["major", "urgent", "p2"],
      },
    }),
  }),
  { description: "A ticket as the people in operations read it." },
);

export interface TicketInput {
  readonly kind: string;
  readonly order_id: string | null;
  readonly summary: string;
  readonly text: string;
}

import { z } from "zod";
import { contract } from "#shared/contract";

const note = z.string().min(1).max(1000).meta({ "x-surgeon-writes": true });

/** A summary for the person who takes a matter over. */
export const HandOverPacket = contract(
  "escalation.packet@1",
  z.object({
    headline: z.string().min(1).max(120).meta({ "x-surgeon-writes": true }),
    what_happened: note,
    what_is_wanted: note,
    suggested_next: note,
    tone: z.enum(["calm", "upset", "angry"]).meta({
      "x-synonyms": {
        calm: ["neutral", "friendly"],
        upset: ["frustrated", "worried"],
        angry: ["furious", "hostile"],
      },
    }),
  }),
  { description: "A matter in short, for the person who takes it over." },
);

export interface PacketInput {
  readonly cause: string;
  readonly findings: readonly string[];
  readonly order_id: string | null;
  readonly summary: string;
  readonly text: string;
}

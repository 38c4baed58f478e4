import { z } from "zod";
import { contract } from "#shared/contract";
import type { Money } from "../contract-fields.ts";

export const LeadScore = contract(
  "sales.score@1",
  z.object({
    score: z
      .int()
      .min(0)
      .max(100)
      .meta({ "x-scale": 100, "x-aliases": ["lead_score"] }),
    reasons: z.array(z.string().min(1).max(200).meta({ "x-surgeon-writes": true })).max(10),
  }),
  { description: "How likely somebody is to buy: 0 not at all, 100 certainly." },
);

export interface ScoreInput {
  readonly company: string | null;
  readonly seats: number | null;
  readonly budget: Money | null;
  readonly text: string;
}

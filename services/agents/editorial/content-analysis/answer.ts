import { z } from "zod";
import { contract } from "#shared/contract";
import { quote, remark } from "../contract-fields.ts";

export const JUDGEMENTS = ["met", "partly_met", "not_met"] as const;

/** A finding about one criterion of a content, with the words that show it. */
export const contentFinding = z.object({
  /** As it was asked for, word for word. */
  criterion: z.string().min(1).max(300),
  judgement: z.enum(JUDGEMENTS),
  finding: remark,
  quote,
  /** From 1. */
  paragraph: z.int().positive(),
});

export const ContentAnswer = contract(
  "content-analysis.findings@1",
  z.object({ findings: z.array(contentFinding).max(24) }),
  {
    // Quotations are full of quotation marks, which JSON has to escape and XML has not.
    answersIn: "xml",
    description: "How a content meets the criteria asked for, each with the words that show it.",
  },
);

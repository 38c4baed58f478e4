import { z } from "zod";
import { agent, readPrompt } from "#shared/runtime";
import { contract } from "#shared/contract";
import { ContentRequest, quote, remark } from "../contracts.ts";
import { keepQuoted } from "../keep-quoted.ts";
import { standIns } from "../recordings.ts";

const JUDGEMENTS = ["met", "partly_met", "not_met"] as const;

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

const ContentAnswer = contract(
  "content-analysis.findings@1",
  z.object({ findings: z.array(contentFinding).max(24) }),
  {
    // Quotations are full of quotation marks, which JSON has to escape and XML has not.
    answersIn: "xml",
    description: "How a content meets the criteria asked for, each with the words that show it.",
  },
);

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "analyse");

/** Evaluates a content by the given criteria. A finding counts only with the content's own words. */
export const contentAnalysis = agent("content-analysis@1", {
  accepts: ContentRequest,
  guard: { mayCause: [] },
  description: "Evaluates contents by given criteria, with the words that every finding rests on.",
  capabilities: ["content-analysis"],
  answers: [ContentAnswer],
  needs: {
    analyse: {
      fields: ["/title", "/content_to_analyze", "/analysis_type", "/criteria"],
      shortens: ["/content_to_analyze"],
    },
  },
  standIns: { analyse: standIns.analyse },
  handle: async (request, ctx) => {
    const { title, content_to_analyze: content, analysis_type, criteria } = request;
    const { findings } = await ctx.model("analyse", {
      instructions: INSTRUCTIONS,
      input: request,
      answers: ContentAnswer,
    });
    const asked = findings.filter(({ criterion }) => criteria.includes(criterion));
    const { kept, unsupported } = keepQuoted(asked, content);
    const judged = new Set(kept.map(({ criterion }) => criterion));
    return ctx.complete({
      status: "analysed",
      title,
      analysis_type,
      findings: kept,
      unsupported,
      not_judged: criteria.filter((criterion) => !judged.has(criterion)),
    });
  },
});

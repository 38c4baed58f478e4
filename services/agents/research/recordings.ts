import { recorded } from "#shared/runtime/tools";
import type { Question } from "./contracts.ts";

const NO_MODEL = "No model is set: a rehearsal has answers to the samples of this team alone.";

/** Recorded answers of every step, for a rehearsal; for another input what the contract has for "cannot tell". */
export const standIns = recorded(new URL("recordings/research.jsonl", import.meta.url), {
  decide: () => ({ decision: { kind: "reply", text: NO_MODEL } }),
  course: () => ({ course: { kind: "remark", reply: NO_MODEL } }),
  analyse: ({ title }: { readonly title: string }) => ({
    summary: NO_MODEL,
    claims: [],
    questions: [`What holds of "${title}"?`],
    left_out: 0,
  }),
  answer: ({ parts }: { readonly parts: readonly { readonly question_id: string }[] }) => ({
    parts: parts.map(({ question_id }) => ({
      question_id,
      sentences: [],
      missing: NO_MODEL,
      denied: null,
      disagree: false,
    })),
  }),
  read: () => ({ readings: [] }),
  hold: () => ({ stances: [] }),
  verify: ({ pairs }: { readonly pairs: readonly { readonly pair_id: string }[] }) => ({
    verdicts: pairs.map(({ pair_id }) => ({ pair_id, verdict: "neither", quote: "" })),
  }),
  draft: ({ questions }: { readonly questions: readonly Question[] }) => ({
    title: NO_MODEL,
    claims: [],
    unanswered: questions.map(({ question_id: id }) => id),
    disagreeing: [],
  }),
  review: () => ({ objections: [] }),
});

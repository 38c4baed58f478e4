import { contract } from "#shared/contract";
import { draft } from "../contract-fields.ts";
import type { Draft, Finding, Objection, Question } from "../contract-fields.ts";

/** A report's draft: claims, each with the findings it rests on, and the questions that stay open. */
export const DraftAnswer = contract("writer.draft@1", draft, {
  description: "Claims with the findings they rest on, and questions that the findings do not answer.",
});

export interface DraftInput {
  readonly goal: string;
  readonly questions: readonly Question[];
  readonly findings: readonly Finding[];
  /** The previous draft with the editor's objections; null for the first. */
  readonly revision: { readonly draft: Draft; readonly objections: readonly Objection[] } | null;
  /** Absent where the task sets no limit. */
  readonly constraints?: { readonly max_words?: number };
}

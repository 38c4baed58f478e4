import { z } from "zod";
import { contract } from "#shared/contract";
import { objection } from "../contract-fields.ts";
import type { Draft, Finding, Question } from "../contract-fields.ts";

/** What an editor objects to; nothing: content. */
export const EditorAnswer = contract(
  "editor.review@1",
  z.object({ objections: z.array(objection).max(20) }),
  { description: "Objections to a draft, each with the claim, the question or the findings it is about." },
);

export interface ReviewInput {
  readonly goal: string;
  readonly questions: readonly Question[];
  readonly findings: readonly Finding[];
  readonly draft: Draft;
}

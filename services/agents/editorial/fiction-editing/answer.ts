import { z } from "zod";
import { contract } from "#shared/contract";
import { criterion, quote, remark } from "../contract-fields.ts";
import { notDoneList } from "../not-done.ts";
import type { Criterion, StoryFinding } from "../contract-fields.ts";

/** Criteria that the editor wants a story analysed by before it is edited. */
export const AnalysisWish = contract(
  "fiction-editing.analysis-wish@2",
  z.object({
    /** Whether the text is a story in prose. */
    text_is: z.enum(["story", "other", "cannot_tell"]),
    /** Work that the author asks for besides the editing, and the kind of a text that is no story. */
    not_done: notDoneList,
    criteria: z.array(criterion).min(1).max(6),
    because: remark,
  }),
  { description: "Whether a text is a story, and the criteria by which it should be analysed." },
);

export const EDIT_KINDS = [
  "repetition",
  "filter_word",
  "adverb",
  "cliche",
  "passive",
  "long_sentence",
  "weak_word",
] as const;

/** Edits of single lines, and an editorial letter to the author. */
export const EditAnswer = contract(
  "fiction-editing.edit@1",
  z.object({
    line_edits: z
      .array(
        z.object({
          kind: z.enum(EDIT_KINDS),
          quote,
          /** From 1. */
          paragraph: z.int().positive(),
          suggestion: remark,
        }),
      )
      .max(25),
    editorial_letter: z.string().min(1).max(4000).meta({ "x-surgeon-writes": true }),
  }),
  { description: "Line edits with the words they are about, and an editorial letter to the author." },
);

export interface WishInput {
  readonly title: string;
  readonly text: string;
  /** Criteria of the author; empty: the editor chooses. */
  readonly asked_for: readonly Criterion[];
}

export interface EditInput {
  readonly title: string;
  readonly text: string;
  readonly findings: readonly StoryFinding[];
}

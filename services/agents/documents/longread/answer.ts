import { z } from "zod";
import { contract } from "#shared/contract";
import { quote, remark } from "../contract-fields.ts";

/** A statement of a document with the words that it rests on. */
export const keyPoint = z.object({ point: remark, quote });

/** The summary of a chunk. */
export const ChunkAnswer = contract(
  "longread.chunk@1",
  z.object({ summary: remark, key_points: z.array(keyPoint).max(6) }),
  { description: "A summary of some pages, and what matters in them with the words it rests on." },
);

/** The summary of several parts. */
export const MergeAnswer = contract(
  "longread.merge@1",
  z.object({
    summary: remark,
    /** Places of the points that matter most, from 0, best first. */
    best: z.array(z.int().nonnegative()).max(24),
  }),
  {
    description: "One summary of several, and which of their points matter most.",
    check: ({ best }) =>
      new Set(best).size < best.length
        ? [{ path: "/best", code: "named_twice", message: "each point is named once" }]
        : [],
  },
);

export interface ChunkInput {
  readonly question: string | null;
  readonly first_page: number;
  readonly last_page: number;
  readonly text: string;
}

export interface MergeInput {
  readonly question: string | null;
  readonly summaries: readonly string[];
  readonly points: readonly string[];
}

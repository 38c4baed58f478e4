import { z } from "zod";
import { contract } from "#shared/contract";
import type { SearchHit } from "../checkout/search-text.ts";
import type { SourceText } from "../checkout/select-sources.ts";
import { remark, suspect } from "../contract-fields.ts";
import type { FailingTest } from "../trial/report.ts";

/** The likely cause of the failures. */
export const RootCause = contract(
  "explorer.root-cause@1",
  z.object({
    cause: remark,
    /** The likeliest first. */
    suspects: z.array(suspect).min(1).max(10),
  }),
  { description: "What most likely causes the failures, and the places that may hold it." },
);

/** What the root cause is read from. */
export interface CauseInput {
  readonly issue: string;
  readonly goal: string;
  readonly failing: readonly FailingTest[];
  readonly hits: readonly SearchHit[];
  /** Tests and code, whole files. */
  readonly sources: readonly SourceText[];
}

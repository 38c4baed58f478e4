import { z } from "zod";
import { contract } from "#shared/contract";
import { readings, stances } from "../contract-fields.ts";
import type { DocumentClaim } from "../contract-fields.ts";
import type { Passage } from "../outside/library.ts";

/** Statements of passages that answer a question. */
export const ReadingAnswer = contract("researcher.reading@1", z.object({ readings }), {
  description: "What passages say to a question, each with the exact words that say it.",
});

export interface ReadingInput {
  readonly question: string;
  readonly passages: readonly Passage[];
}

/** What passages say for and against a claim of the user's document. */
export const HoldingAnswer = contract("researcher.holding@2", z.object({ stances }), {
  description: "What passages say for and against a claim, each with the exact words that do.",
});

export interface HoldingInput {
  readonly claim: DocumentClaim;
  readonly passages: readonly Passage[];
}

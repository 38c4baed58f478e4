import { z } from "zod";
import { contract } from "#shared/contract";
import { readings } from "../contract-fields.ts";
import type { Passage } from "../outside/library.ts";

/** Statements of passages that answer a question. */
export const ReadingAnswer = contract("researcher.reading@1", z.object({ readings }), {
  description: "What passages say to a question, each with the exact words that say it.",
});

export interface ReadingInput {
  readonly question: string;
  readonly passages: readonly Passage[];
}

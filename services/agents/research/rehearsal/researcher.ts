import type { StandIn } from "#shared/runtime";
import { FINDINGS_MAX } from "../limits.ts";
import { pickEvidence } from "./pick-evidence.ts";
import type { ReadingInput } from "../researcher/answer.ts";

/** Takes the sentences that say most to the question, at most two of one source, word for word. */
export const readPassages: StandIn = ({ question, passages }: ReadingInput) => ({
  readings: pickEvidence(question, { passages, perSource: 2 })
    .slice(0, FINDINGS_MAX)
    .map(({ quote, passage }) => ({ statement: quote, quote, passage_id: passage.passage_id })),
});

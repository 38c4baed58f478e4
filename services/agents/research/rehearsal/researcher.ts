import type { StandIn } from "#shared/runtime";
import { FINDINGS_MAX } from "../limits.ts";
import type { Passage } from "../outside/library.ts";
import { pickEvidence } from "./pick-evidence.ts";
import type { ReadingInput } from "../researcher/answer.ts";
import { lookFurther } from "./look-further.ts";

/**
 * Takes the sentences that say most to the question, at most two of one source, word for word. Where the given passages
 * have none, it searches with other words first.
 */
export const readPassages: StandIn = ({ question, passages }: ReadingInput, _random, _images, tools) => {
  const pick = (read: readonly Passage[]) => pickEvidence(question, { passages: read, perSource: 2 });
  const read = pick(passages).length > 0 ? passages : lookFurther(question, passages, tools);
  if (!Array.isArray(read)) return read;
  return {
    readings: pick(read)
      .slice(0, FINDINGS_MAX)
      .map(({ quote, passage }) => ({ statement: quote, quote, passage_id: passage.passage_id })),
  };
};

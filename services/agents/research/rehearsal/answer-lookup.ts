import type { StandIn } from "#shared/runtime";
import { findContradictions } from "../reading/claims/find-contradictions.ts";
import type { LookupInput } from "../research/answer.ts";
import { pickEvidence } from "./pick-evidence.ts";

const SENTENCES_MAX = 3;

/** Answers each question with the sentence that says most to it, and with what contradicts that. */
export const answerLookup: StandIn = ({ parts }: LookupInput) => ({
  parts: parts.map(({ question_id, ...asked }) => ({
    question_id,
    sentences: answerOne(asked),
    missing: "",
    denied: null,
  })),
});

function answerOne({ question, passages }: Omit<LookupInput["parts"][number], "question_id">) {
  const said = pickEvidence(question, { passages, perSource: 2 }).map(({ quote, passage }) => ({
    quote,
    source_id: passage.source_id,
    passage,
  }));
  const [best] = said;
  if (best === undefined) return [];
  const against = findContradictions(said)
    .filter(({ one }) => one === best)
    .map(({ other }) => other);
  return [best, ...against].slice(0, SENTENCES_MAX).map(({ quote, passage }, index) => ({
    statement: index === 0 ? quote : `${passage.publisher}, however: ${quote}`,
    quote,
    passage_id: passage.passage_id,
  }));
}

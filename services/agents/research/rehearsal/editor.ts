import type { StandIn } from "#shared/runtime";
import type { Objection } from "../contract-fields.ts";
import { findContradictions } from "../reading/claims/find-contradictions.ts";
import { isSupported } from "../reading/is-supported.ts";
import { shorten } from "../reading/sentences.ts";
import type { ReviewInput } from "../editor/answer.ts";
import { checkDraft, evidenceOf, joinObjections, unsupported } from "../editor/check-draft.ts";

const OBJECTIONS_MAX = 20;

/** Holds claims against the words they name, questions against the claims, and findings against each other. */
export const reviewDraft: StandIn = (input: ReviewInput) => {
  const { findings, draft } = input;
  const unfounded = draft.claims.flatMap((claim, index) =>
    isSupported(claim.text, evidenceOf(claim, findings))
      ? []
      : [unsupported(index, claim, "the words of its findings do not say this")],
  );
  const objections = [...joinObjections(checkDraft(input), unfounded), ...findUntold(input)];
  return { objections: objections.slice(0, OBJECTIONS_MAX) };
};

/** Contradictions among the findings of one question of which no claim names both sides. */
function findUntold({ questions, findings, draft }: ReviewInput): Objection[] {
  return questions.flatMap(({ question_id: id }) => {
    const own = findings.filter(({ question_id: asked }) => asked === id);
    const told = new Set<string>();
    return findContradictions(own).flatMap(({ one, other }) => {
      const sides = [one.finding_id, other.finding_id];
      const isTold = draft.claims.some(({ finding_ids: ids }) => sides.every((side) => ids.includes(side)));
      // One dispute of two sources is told once, however many sentences they have on it.
      const pair = [one.source_id, other.source_id].toSorted().join();
      if (isTold || told.has(pair)) return [];
      told.add(pair);
      return [
        {
          kind: "contradiction_not_mentioned" as const,
          claim: null,
          question_id: id,
          finding_ids: sides,
          what: shorten(
            `${one.publisher} and ${other.publisher} say different things: "${one.quote}" "${other.quote}"`,
            900,
          ),
        },
      ];
    });
  });
}

import type { Draft, Finding, Objection, Question } from "../contract-fields.ts";
import { findInventedFigures } from "../reading/is-supported.ts";

/** A draft with what it is held against. */
export interface Reviewed {
  readonly questions: readonly Question[];
  readonly findings: readonly Finding[];
  readonly draft: Draft;
}

/** Returns the evidence that a claim names: the quotes of its findings, with title and publisher. */
export function evidenceOf(claim: Draft["claims"][number], findings: readonly Finding[]): string {
  return findings
    .filter(({ finding_id: id }) => claim.finding_ids.includes(id))
    .map(({ quote, title, publisher, published }) => `${quote}\n${title}, ${publisher}, ${published}`)
    .join("\n");
}

/**
 * What can be counted is not left to a model: figures of a claim that its findings do not have, and questions that the
 * draft passes over.
 */
export function checkDraft({ questions, findings, draft }: Reviewed): Objection[] {
  return [
    ...draft.claims.flatMap((claim, index) => {
      const invented = findInventedFigures(claim.text, evidenceOf(claim, findings));
      return invented.length === 0
        ? []
        : [unsupported(index, claim, `its findings do not have the figures ${invented.join(", ")}`)];
    }),
    ...questions.flatMap(({ question_id: id }) => {
      const isAnswered = draft.claims.some(({ question_id: own }) => own === id);
      const isFound = findings.some(({ question_id: own }) => own === id);
      if (isAnswered || (draft.unanswered.includes(id) && !isFound)) return [];
      const what = isFound
        ? "there are findings on it, and no claim"
        : "it is neither answered nor said to be open";
      return [missing(id, what)];
    }),
  ];
}

export function unsupported(index: number, claim: Draft["claims"][number], what: string): Objection {
  return {
    kind: "unsupported_claim",
    claim: index,
    question_id: claim.question_id,
    finding_ids: claim.finding_ids,
    what: `Claim ${index}: ${what}.`,
  };
}

function missing(questionId: string, what: string): Objection {
  return {
    kind: "missing_question",
    claim: null,
    question_id: questionId,
    finding_ids: [],
    what: `Question ${questionId}: ${what}.`,
  };
}

/** Joins both lists without duplicates. */
export function joinObjections(counted: readonly Objection[], said: readonly Objection[]): Objection[] {
  const keyOf = ({ kind, claim, question_id: id, finding_ids: ids }: Objection): string =>
    kind === "unsupported_claim" ? `${kind}/${claim}` : `${kind}/${id}/${ids.toSorted().join()}`;
  return [...new Map([...said, ...counted].map((one) => [keyOf(one), one])).values()];
}

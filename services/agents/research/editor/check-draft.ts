import type { Draft, Finding, Objection, Question } from "../contract-fields.ts";
import type { Pair } from "../verify/verify-claims.ts";

/** A draft with what it is held against. */
export interface Reviewed {
  readonly questions: readonly Question[];
  readonly findings: readonly Finding[];
  readonly draft: Draft;
}

/** Returns the evidence that a claim names: the quotes of its findings, with where they are from. */
export function evidenceOf(claim: Draft["claims"][number], findings: readonly Finding[]): Pair["passage"] {
  const named = findings.filter(({ finding_id: id }) => claim.finding_ids.includes(id));
  const all = (field: "title" | "publisher" | "published"): string =>
    [...new Set(named.map((finding) => finding[field]))].join("; ");
  const text = named.map(({ quote, publisher }) => `${publisher}: ${quote}`).join("\n");
  return { title: all("title"), publisher: all("publisher"), published: all("published"), text };
}

/** Questions that a draft passes over. */
export function findMissing({ questions, findings, draft }: Reviewed): Objection[] {
  return questions.flatMap(({ question_id: id }): Objection[] => {
    const isAnswered = draft.claims.some(({ question_id: own }) => own === id);
    const isFound = findings.some(({ question_id: own }) => own === id);
    if (isAnswered || (draft.unanswered.includes(id) && !isFound)) return [];
    const what = isFound
      ? "there are findings on it, and no claim"
      : "it is neither answered nor said to be open";
    return [
      {
        kind: "missing_question",
        claim: null,
        question_id: id,
        finding_ids: [],
        what: `Question ${id}: ${what}.`,
      },
    ];
  });
}

/** Objection to a claim that a second reading did not find in its findings. */
export function unsupported(index: number, claim: Draft["claims"][number]): Objection {
  return {
    kind: "unsupported_claim",
    claim: index,
    question_id: claim.question_id,
    finding_ids: claim.finding_ids,
    what: `Claim ${index}: a second reading does not find it in the words of its findings.`,
  };
}

/** Joins both lists without duplicates. */
export function joinObjections(counted: readonly Objection[], said: readonly Objection[]): Objection[] {
  const keyOf = ({ kind, claim, question_id: id, finding_ids: ids }: Objection): string =>
    kind === "unsupported_claim" ? `${kind}/${claim}` : `${kind}/${id}/${ids.toSorted().join()}`;
  return [...new Map([...said, ...counted].map((one) => [keyOf(one), one])).values()];
}

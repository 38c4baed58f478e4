import type { ContractInput, ContractOutput } from "#shared/contract";
import type { Commission, ResearchRequest } from "../contracts.ts";
import { QUESTIONS_MAX } from "../limits.ts";
import { splitClaim, withSubject } from "../reading/claims/split-claim.ts";
import { flatten, readSentences, shorten } from "../reading/sentences.ts";

type Request = ContractOutput<typeof ResearchRequest>;
type Reference = NonNullable<Request["reference"]>;

/**
 * Returns what is to be found out about a document: every claim is a question of its own, then come the user's other
 * questions. No model is asked, so that no claim is left out on the way.
 */
export function commissionCheck({
  conversation,
  question,
  reference,
}: Pick<Request, "conversation" | "question"> & { readonly reference: Reference }): ContractInput<
  typeof Commission
> {
  const { document, analysis } = reference;
  const all = splitClaims(analysis.claims, QUESTIONS_MAX - analysis.questions.length);
  const claims = all.map((claim) => ({ text: shorten(claim.claim, 600), claim }));
  const others = analysis.questions.map((text) => ({ text, claim: null }));
  const questions = [...claims, ...others].slice(0, QUESTIONS_MAX);
  return {
    conversation,
    goal: shorten(question, 1500),
    questions: questions.map((one, index) => ({ question_id: `q${index + 1}`, ...one })),
    reference: {
      title: document.title,
      summary: analysis.summary,
      unchecked: countUnchecked(document.text, analysis.claims),
    },
  };
}

/** Every clause of a claim is a claim of its own, as long as there are no more than can be looked up. */
function splitClaims(
  claims: Reference["analysis"]["claims"],
  claimsMax: number,
): Reference["analysis"]["claims"] {
  let room = claimsMax - claims.length;
  return claims.flatMap((claim) => {
    const clauses = splitClaim(claim.quote);
    if (clauses.length === 1 || clauses.length - 1 > room) return [claim];
    room -= clauses.length - 1;
    return clauses.map((quote, index) => ({ claim: withSubject(quote, clauses[index - 1]), quote }));
  });
}

/** Statements with figures in a document that no claim quotes. */
function countUnchecked(text: string, claims: Reference["analysis"]["claims"]): number {
  const quoted = claims.map(({ quote }) => flatten(quote));
  const sentences = new Set(readSentences(text).filter((sentence) => /\d/.test(sentence)));
  return [...sentences].filter(
    (sentence) => !quoted.some((quote) => sentence.includes(quote) || quote.includes(sentence)),
  ).length;
}

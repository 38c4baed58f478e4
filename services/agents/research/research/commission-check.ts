import type { ContractInput, ContractOutput } from "#shared/contract";
import type { Commission, ResearchRequest } from "../contracts.ts";
import { QUESTIONS_MAX } from "../limits.ts";
import { shorten } from "../reading/text.ts";

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
  const claims = analysis.claims.map((claim) => ({ text: shorten(claim.claim, 600), claim }));
  const others = analysis.questions.map((text) => ({ text, claim: null }));
  const all = [...claims, ...others];
  const questions = all.slice(0, QUESTIONS_MAX);
  return {
    conversation,
    goal: shorten(question, 1500),
    questions: questions.map((one, index) => ({ question_id: `q${index + 1}`, ...one })),
    reference: {
      title: document.title,
      summary: analysis.summary,
      unchecked: analysis.left_out + all.length - questions.length,
    },
  };
}

import type { ContractInput, ContractOutput } from "#shared/contract";
import type { Supervision } from "#shared/patterns";
import type { Finding, HeldClaim } from "../contract-fields.ts";
import type { Brief, Commission, Found, Topic } from "../contracts.ts";
import type { HeldBack } from "../outside/library.ts";
import { holdsQuote } from "../reading/quote.ts";

type FoundOutput = ContractOutput<typeof Found>;

const HELD_BACK_MAX = 20;

/**
 * What a report is written from: every reading with its source, the same words once, and which questions nobody came
 * back with. The passages themselves do not travel any further.
 */
export function writeBrief({
  goal: commission,
  done,
}: Supervision<ContractOutput<typeof Commission>, FoundOutput>): ContractInput<typeof Brief> {
  const found = done.flatMap(({ result }) => (result === null ? [] : [result]));
  const findings = commission.questions.flatMap(({ question_id: id }) =>
    toFindings(
      id,
      found.filter(({ question }) => question.question_id === id),
    ),
  );
  const held = new Map<string, HeldBack>();
  for (const one of found.flatMap(({ held_back: heldBack }) => heldBack)) held.set(one.source_id, one);
  const came = new Set(found.map(({ question }) => question.question_id));
  const failed = done
    // Of the contract of the worker's edge, by which it was sent.
    .map(({ payload }) => (payload as ContractOutput<typeof Topic>).question.question_id)
    .filter((id) => !came.has(id));
  return {
    conversation: commission.conversation,
    goal: commission.goal,
    questions: commission.questions,
    findings,
    claims: commission.questions.flatMap(({ question_id: id, claim }) =>
      claim === null
        ? []
        : [
            holdClaim(
              { question_id: id, ...claim },
              { findings, found: found.filter(({ question }) => question.question_id === id) },
            ),
          ],
    ),
    unchecked: commission.reference?.unchecked ?? 0,
    held_back: [...held.values()].slice(0, HELD_BACK_MAX),
    failed: [...new Set(failed)],
  };
}

/** What was found for and against a claim, each with the finding that quotes it; contradictions first. */
function holdClaim(
  claim: Omit<HeldClaim, "evidence">,
  { findings, found }: { readonly findings: readonly Finding[]; readonly found: readonly FoundOutput[] },
): HeldClaim {
  const own = findings.filter(({ question_id: id }) => id === claim.question_id);
  const evidence = new Map<string, HeldClaim["evidence"][number]>();
  for (const { stances, passages } of found) {
    for (const { stance, quote, passage_id: id } of stances) {
      const source = passages.find((one) => one.passage_id === id)?.source_id;
      const finding = own.find((one) => one.source_id === source && holdsQuote(one.quote, quote));
      const key = `${finding?.finding_id ?? ""} ${stance}`;
      if (finding === undefined || evidence.has(key)) continue;
      evidence.set(key, { stance, finding_id: finding.finding_id });
    }
  }
  const ordered = [...evidence.values()].toSorted(
    (a, b) => Number(a.stance === "for") - Number(b.stance === "for"),
  );
  return { ...claim, evidence: ordered };
}

function toFindings(questionId: string, found: readonly FoundOutput[]): Finding[] {
  const findings: Finding[] = [];
  for (const { readings, passages } of found) {
    for (const { statement, quote, passage_id: id } of readings) {
      const passage = passages.find((one) => one.passage_id === id);
      const isKnown = findings.some(
        (one) => one.source_id === passage?.source_id && holdsQuote(one.quote, quote),
      );
      if (passage === undefined || isKnown) continue;
      const { source_id, title, publisher, published } = passage;
      const finding_id = `${questionId}f${findings.length + 1}`;
      findings.push({
        finding_id,
        question_id: questionId,
        statement,
        quote,
        source_id,
        title,
        publisher,
        published,
      });
    }
  }
  return findings;
}

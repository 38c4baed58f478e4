import type { ContractInput, ContractOutput } from "#shared/contract";
import type { Supervision } from "#shared/patterns";
import type { Finding, HeldClaim, Brief, Commission, Found, Topic } from "../contracts.ts";
import { holdsQuote } from "../text.ts";

type FoundOutput = ContractOutput<typeof Found>;

const HELD_BACK_MAX = 20;

/** Returns what a report is written from: each reading with its source, and which questions stayed open. */
export function writeBrief({
  goal: commission,
  done,
}: Supervision<ContractOutput<typeof Commission>, FoundOutput>): ContractInput<typeof Brief> {
  const found = done.flatMap(({ result }) => (result === null ? [] : [result]));
  const onQuestion = (id: string) => found.filter(({ question }) => question.question_id === id);
  const findings = commission.questions.flatMap(({ question_id: id }) => toFindings(id, onQuestion(id)));
  const held = new Map(
    found.flatMap(({ held_back: heldBack }) => heldBack).map((one) => [one.source_id, one]),
  );
  const failed = done
    // Of the contract of the worker's edge, by which it was sent.
    .map(({ payload }) => (payload as ContractOutput<typeof Topic>).question.question_id)
    .filter((id) => onQuestion(id).length === 0);
  return {
    conversation: commission.conversation,
    goal: commission.goal,
    questions: commission.questions,
    findings,
    claims: commission.questions.flatMap(({ question_id: id, claim }) =>
      claim === null
        ? []
        : [{ question_id: id, ...claim, evidence: evidenceFor(id, findings, onQuestion(id)) }],
    ),
    unchecked: commission.reference?.unchecked ?? 0,
    held_back: [...held.values()].slice(0, HELD_BACK_MAX),
    failed: [...new Set(failed)],
  };
}

/** Returns the evidence for and against a claim, each with the finding that quotes it; contradictions first. */
function evidenceFor(
  questionId: string,
  findings: readonly Finding[],
  found: readonly FoundOutput[],
): HeldClaim["evidence"] {
  const own = findings.filter(({ question_id: id }) => id === questionId);
  const evidence = new Map<string, HeldClaim["evidence"][number]>();
  for (const { stances, passages } of found) {
    for (const { stance, quote, passage_id: id } of stances) {
      const source = passages.find((one) => one.passage_id === id)?.source_id;
      const finding = own.find((one) => one.source_id === source && holdsQuote(one.quote, quote));
      if (finding === undefined) continue;
      evidence.set(`${finding.finding_id} ${stance}`, { stance, finding_id: finding.finding_id });
    }
  }
  return [...evidence.values()].toSorted((a, b) => Number(a.stance === "for") - Number(b.stance === "for"));
}

function toFindings(questionId: string, found: readonly FoundOutput[]): Finding[] {
  const findings: Finding[] = [];
  for (const { readings, passages } of found) {
    for (const { statement, quote, passage_id: id } of readings) {
      const passage = passages.find((one) => one.passage_id === id);
      if (passage === undefined) continue;
      const { source_id, title, publisher, published } = passage;
      if (findings.some((one) => one.source_id === source_id && holdsQuote(one.quote, quote))) continue;
      const ids = { finding_id: `${questionId}f${findings.length + 1}`, question_id: questionId };
      findings.push({ ...ids, statement, quote, source_id, title, publisher, published });
    }
  }
  return findings;
}

import type { StandIn } from "#shared/runtime";
import type { Draft, Finding, Objection } from "../contract-fields.ts";
import { isOpenQuestion } from "./pick-evidence.ts";
import { shorten } from "../reading/sentences.ts";
import type { DraftInput } from "../writer/answer.ts";

/** What is asked for in general is answered from several sides. */
const CLAIMS_OF_OPEN_QUESTION = 3;

type Claim = Draft["claims"][number];

/** For each question its strongest finding, word for word; then what the editor wants. */
export const writeDraft: StandIn = ({ goal, questions, findings, revision }: DraftInput): Draft => {
  const title = shorten(goal.split(/[:?]/, 1)[0] ?? goal, 180);
  if (revision !== null) return { ...revise(revision, findings), title };
  const claims = questions.flatMap(({ question_id: id, text }) => {
    const own = findings.filter((finding) => finding.question_id === id);
    return own.slice(0, isOpenQuestion(text) ? CLAIMS_OF_OPEN_QUESTION : 1).map(claimOf);
  });
  return { title, claims, unanswered: withoutClaims(questions, claims) };
};

function claimOf(finding: Finding): Claim {
  return { text: finding.statement, question_id: finding.question_id, finding_ids: [finding.finding_id] };
}

function withoutClaims(questions: DraftInput["questions"], claims: readonly Claim[]): string[] {
  const answered = new Set(claims.map(({ question_id: id }) => id));
  return questions.map(({ question_id: id }) => id).filter((id) => !answered.has(id));
}

function revise(
  { draft, objections }: NonNullable<DraftInput["revision"]>,
  findings: readonly Finding[],
): Draft {
  const of = (kind: Objection["kind"]) => objections.filter((one) => one.kind === kind);
  const dropped = new Set(of("unsupported_claim").map(({ claim }) => claim));
  const kept = draft.claims.filter((_, index) => !dropped.has(index));
  const disputes = of("contradiction_not_mentioned").flatMap(({ finding_ids: ids }) =>
    dispute(ids, findings),
  );
  const settled = new Set(disputes.flatMap(({ finding_ids: ids }) => ids));
  const missing = [
    ...of("missing_question").map(({ question_id: id }) => id),
    ...[...dropped].map((index) => draft.claims[index ?? -1]?.question_id ?? null),
  ].filter((id) => id !== null && !kept.some(({ question_id: own }) => own === id));
  const added = missing.flatMap((id) => {
    const best = findings.find((finding) => finding.question_id === id);
    return best === undefined ? [] : [claimOf(best)];
  });
  const claims = [
    // What is told as a dispute is not told as a fact as well.
    ...kept.filter(({ finding_ids: ids }) => ids.length > 1 || !settled.has(ids[0] ?? "")),
    ...added,
    ...disputes,
  ];
  const answered = new Set(claims.map(({ question_id: id }) => id));
  const asked = [...draft.unanswered, ...draft.claims.map(({ question_id: id }) => id), ...missing];
  const unanswered = [...new Set(asked)].filter((id) => id !== null && !answered.has(id));
  return { ...draft, claims, unanswered: unanswered.filter((id) => id !== null) };
}

/** One claim that says what both sides say. */
function dispute(ids: readonly string[], findings: readonly Finding[]): Claim[] {
  const sides = ids.flatMap((id) => findings.find(({ finding_id: own }) => own === id) ?? []);
  const [first] = sides;
  if (first === undefined || sides.length < 2) return [];
  const told = sides.map(({ publisher, quote }) => `${publisher}: "${shorten(quote, 400)}"`);
  return [
    {
      text: `The sources disagree. ${told.join(" ")}`,
      question_id: first.question_id,
      finding_ids: sides.map(({ finding_id: id }) => id),
    },
  ];
}

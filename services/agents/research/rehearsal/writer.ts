import type { StandIn } from "#shared/runtime";
import type { Draft, Finding, Objection } from "../contract-fields.ts";
import { shorten } from "../reading/sentences.ts";
import type { DraftInput } from "../writer/answer.ts";
import { isOpenQuestion } from "./pick-evidence.ts";

/** What is asked for in general is answered from several sides. */
const CLAIMS_OF_OPEN_QUESTION = 3;

type Claim = Draft["claims"][number];

/** For each question its strongest findings, word for word; then what the editor wants. */
export const writeDraft: StandIn = ({
  goal,
  questions,
  findings,
  revision,
  constraints,
}: DraftInput): Draft => {
  const ofQuestion = (id: string): Finding[] => findings.filter((finding) => finding.question_id === id);
  const wanted =
    revision === null
      ? questions.flatMap(({ question_id: id, text }) =>
          ofQuestion(id)
            .slice(0, isOpenQuestion(text) ? CLAIMS_OF_OPEN_QUESTION : 1)
            .map(claimOf),
        )
      : revise(revision, { findings, ofQuestion });
  const claims = fit(wanted, constraints?.max_words ?? Infinity);
  const answered = new Set(claims.map(({ question_id: id }) => id));
  return {
    title: shorten(goal.split(/[:?]/, 1)[0] ?? goal, 180),
    claims,
    unanswered: questions.map(({ question_id: id }) => id).filter((id) => !answered.has(id)),
  };
};

/** Keeps the first claims that have at most that many words together. */
function fit(claims: readonly Claim[], wordsMax: number): Claim[] {
  let left = wordsMax;
  return claims.filter(({ text }) => {
    const words = text.split(/[^\p{L}\p{N}]+/u).length;
    if (words > left) return false;
    left -= words;
    return true;
  });
}

function claimOf({ statement, question_id, finding_id }: Finding): Claim {
  return { text: statement, question_id, finding_ids: [finding_id] };
}

/** Drops unsupported claims, tells contradictions as disputes, and answers questions that have no claim left. */
function revise(
  { draft, objections }: NonNullable<DraftInput["revision"]>,
  known: { readonly findings: readonly Finding[]; readonly ofQuestion: (id: string) => Finding[] },
): Claim[] {
  const of = (kind: Objection["kind"]) => objections.filter((one) => one.kind === kind);
  const dropped = new Set(of("unsupported_claim").map(({ claim }) => claim));
  const disputes = of("contradiction_not_mentioned").flatMap(({ finding_ids: ids }) =>
    dispute(ids, known.findings),
  );
  const told = new Set(disputes.flatMap(({ finding_ids: ids }) => ids));
  const kept = draft.claims.filter(
    ({ finding_ids: ids }, index) => !dropped.has(index) && (ids.length > 1 || !told.has(ids[0] ?? "")),
  );
  const claims = [...kept, ...disputes];
  const asked = [...draft.claims, ...of("missing_question")].flatMap(({ question_id: id }) => id ?? []);
  const missing = [...new Set(asked)].filter((id) => !claims.some(({ question_id: own }) => own === id));
  return [...claims, ...missing.flatMap((id) => known.ofQuestion(id).slice(0, 1).map(claimOf))];
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

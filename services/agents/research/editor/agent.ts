import { z } from "zod";
import { contract, withCheck } from "#shared/contract";
import type { Issue } from "#shared/errors";
import { agent, readPrompt } from "#shared/runtime";
import { objection, PROMPT_TOKENS_MAX } from "../contracts.ts";
import type { Objection, Draft, Finding, Question } from "../contracts.ts";
import { standIns } from "../recordings.ts";
import { BriefMissingError, readReport } from "../report/report.ts";
import type { ReportShell } from "../report/report.ts";
import { VERIFY_NEEDS, VerifyAnswer, verifyClaims } from "../verify/verify-claims.ts";
import type { Pair } from "../verify/verify-claims.ts";

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "review");

const EditorAnswer = contract("editor.review@1", z.object({ objections: z.array(objection).max(20) }), {
  description: "Objections to a draft, each with the claim, the question or the findings it is about.",
});

/** Says on the board what is wrong with a report's newest draft, by its own review and a second, blind one. */
export function createEditor(report: ReportShell) {
  return agent("editor@1", {
    accepts: report.turn,
    to: { "report-shell": report.turn },
    description: "Holds a draft against its findings and its questions.",
    capabilities: ["editing"],
    answers: [EditorAnswer, VerifyAnswer],
    standIns: { review: standIns.review, verify: standIns.verify },
    needs: { review: { fields: ["/goal", "/questions", "/findings", "/draft"] }, ...VERIFY_NEEDS },
    contextTokensMax: PROMPT_TOKENS_MAX,
    guard: { mayCause: [] },
    handle: async (turn, ctx) => {
      const board = report.board(ctx);
      const { brief, newest: written } = readReport(await board.read());
      if (written === null) throw new BriefMissingError();
      const { goal, questions, findings } = brief;
      const { draft, round } = written;
      const input = { goal, questions, findings, draft };
      const answers = withCheck(EditorAnswer, (answer) => checkConcrete(answer.objections, input));
      const { objections: said } = await ctx.model("review", { instructions: INSTRUCTIONS, input, answers });
      const pairs = draft.claims.map((claim) => ({
        claim: claim.text,
        passage: evidenceOf(claim, findings),
      }));
      const verdicts = await verifyClaims(ctx, pairs);
      const unread = draft.claims.flatMap((claim, index) =>
        verdicts[index] === "supports" ? [] : [unsupported(index, claim)],
      );
      const objections = joinObjections([...unread, ...findMissing(input)], said);
      await board.update("review", "review", () => ({ kind: "review", round, objections }));
      return ctx.handoff("report-shell", turn, { reason: `${objections.length} objections` });
    },
  });
}

/** An objection that names no place that there is cannot be answered. */
function checkConcrete(objections: readonly Objection[], { draft, questions, findings }: Reviewed): Issue[] {
  const named = {
    unsupported_claim: ["claim", ({ claim }: Objection) => claim !== null && claim < draft.claims.length],
    missing_question: [
      "question_id",
      ({ question_id: id }: Objection) => questions.some((one) => one.question_id === id),
    ],
    contradiction_not_mentioned: [
      "finding_ids",
      ({ finding_ids: ids }: Objection) => findings.filter((one) => ids.includes(one.finding_id)).length >= 2,
    ],
  } as const;
  return objections.flatMap((one, index) => {
    const [field, isThere] = named[one.kind];
    const message = "names no claim or question that there is, or fewer than two such findings";
    return isThere(one) ? [] : [{ path: `/objections/${index}/${field}`, code: "not_concrete", message }];
  });
}

interface Reviewed {
  readonly questions: readonly Question[];
  readonly findings: readonly Finding[];
  readonly draft: Draft;
}

/** Returns the evidence that a claim names: the quotes of its findings, with where they are from. */
function evidenceOf(claim: Draft["claims"][number], findings: readonly Finding[]): Pair["passage"] {
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

import type { Issue } from "#shared/errors";
import { agent, readPrompt } from "#shared/runtime";
import { withCheck } from "../check-quotes.ts";
import type { Objection } from "../contract-fields.ts";
import { BriefMissingError } from "../errors.ts";
import { PROMPT_TOKENS_MAX } from "../limits.ts";
import { findEntry } from "../report/entry.ts";
import type { ReportShell } from "../report/create.ts";
import { EditorAnswer } from "./answer.ts";
import type { ReviewInput } from "./answer.ts";
import { VERIFY_NEEDS, VerifyAnswer, verifyClaims } from "../verify/verify-claims.ts";
import { standIns } from "../recordings.ts";
import { evidenceOf, findMissing, joinObjections, unsupported } from "./check-draft.ts";

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "review");

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
      const view = await board.read();
      const brief = findEntry(view, "brief")?.brief;
      const written = findEntry(view, "draft");
      if (brief === undefined || written === null) throw new BriefMissingError();
      const { goal, questions, findings } = brief;
      const { draft, round } = written;
      const input: ReviewInput = { goal, questions, findings, draft };
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
function checkConcrete(
  objections: readonly Objection[],
  { draft, questions, findings }: ReviewInput,
): Issue[] {
  return objections.flatMap((one, index) => {
    const issue = (field: string, message: string): Issue[] => [
      { path: `/objections/${index}/${field}`, code: "not_concrete", message },
    ];
    switch (one.kind) {
      case "unsupported_claim":
        return one.claim !== null && one.claim < draft.claims.length
          ? []
          : issue("claim", "there is no such claim");
      case "missing_question":
        return questions.some(({ question_id: id }) => id === one.question_id)
          ? []
          : issue("question_id", "there is no such question");
      case "contradiction_not_mentioned": {
        const known = findings.filter(({ finding_id: id }) => one.finding_ids.includes(id));
        return known.length >= 2 ? [] : issue("finding_ids", "names fewer than two findings that there are");
      }
    }
  });
}

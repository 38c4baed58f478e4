import { z } from "zod";
import { contract, withCheck } from "#shared/contract";
import { agent, readPrompt } from "#shared/runtime";
import { constraintFields } from "#shared/runtime/terms";
import { draft as draftForm, PROMPT_TOKENS_MAX } from "../contracts.ts";
import { readReport } from "../report/report.ts";
import type { ReportShell } from "../report/report.ts";
import { standIns } from "../recordings.ts";

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "draft");

const DraftAnswer = contract("writer.draft@1", draftForm, {
  description: "Claims with the findings they rest on, and questions that the findings do not answer.",
});

/** Writes the next version of a report onto its board. */
export function createWriter(report: ReportShell) {
  return agent("writer@1", {
    accepts: report.turn,
    to: { "report-shell": report.turn },
    description: "Writes a report's next version from its findings and the editor's objections.",
    capabilities: ["writing"],
    answers: [DraftAnswer],
    standIns: { draft: standIns.draft },
    constraints: z.object({ max_words: constraintFields.max_words }),
    needs: {
      draft: {
        fields: ["/goal", "/questions", "/findings", "/revision"],
        constraints: ["/max_words"],
      },
    },
    contextTokensMax: PROMPT_TOKENS_MAX,
    guard: { mayCause: [] },
    handle: async (turn, ctx) => {
      const board = report.board(ctx);
      const { brief, newest: before, review } = readReport(await board.read());
      const objections = review?.objections ?? [];
      const { goal, questions, findings } = brief;
      const revision = before === null ? null : { draft: before.draft, objections };
      const known = new Set(findings.map(({ finding_id: id }) => id));
      const asked = new Set(questions.map(({ question_id: id }) => id));
      const answers = withCheck(DraftAnswer, ({ claims }) =>
        claims.flatMap(({ finding_ids: ids, question_id: id }, index) => [
          ...(ids.every((one) => known.has(one))
            ? []
            : [at(index, "finding_ids", "names a finding that there is not")]),
          ...(asked.has(id) ? [] : [at(index, "question_id", "names a question that was not asked")]),
        ]),
      );
      const draft = await ctx.model("draft", {
        instructions: INSTRUCTIONS,
        input: { goal, questions, findings, revision },
        answers,
        wordsIn: ["/claims/*/text"],
      });
      await board.update("draft", "draft", (now) => ({
        kind: "draft",
        round: now?.kind === "draft" ? now.round + 1 : 1,
        draft,
      }));
      return ctx.handoff("report-shell", turn, { reason: "a new draft" });
    },
  });
}

function at(index: number, field: string, message: string) {
  return { path: `/claims/${index}/${field}`, code: "unknown_reference", message };
}

import { isDeepStrictEqual } from "node:util";
import { agent, readPrompt } from "#shared/runtime";
import { contract } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import { defineError } from "#shared/errors";
import { ComponentDesign, Project, checkDesigns, designReport } from "../contracts.ts";
import type { Requirement } from "../designs.ts";
import { standIns } from "../recordings.ts";

/** A design leaves out a requirement, answers one twice, or answers another than was stated. */
class DesignMismatchError extends defineError((requirements: readonly string[]) => ({
  code: "EDITORIAL_DESIGN_MISMATCH",
  failureClass: "content_error",
  message: `The design does not answer these requirements as they were stated: ${requirements.join(", ")}.`,
  remedy: "Look at the design in the case; if a model keeps doing this, change the electronics prompt.",
})) {}

/** A design for each requirement, or a question where none is possible. Every number is recomputed. */
const DesignAnswer = contract("electronics.design@2", designReport, {
  description:
    "Parts for each circuit, with what follows from them; a question where a requirement cannot be met.",
  check: (answer) => checkDesigns(answer),
});

const to = { "general-project": Project };

type Report = ContractOutput<typeof DesignAnswer>;

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "design");

/** Designs circuits from stated quantities. The contract recomputes the numbers; this agent checks completeness. */
export const electronics = agent("electronics@1", {
  accepts: ComponentDesign,
  guard: { mayCause: [] },
  to,
  description: "Designs small circuits from stated quantities, or says why it cannot.",
  capabilities: ["component-design"],
  answers: [DesignAnswer],
  standIns: { design: standIns.design },
  handle: async (asked, ctx) => {
    const { title, project_requirements: requirements, constraints, brief, summary, not_done } = asked;
    const report = await ctx.model("design", {
      instructions: INSTRUCTIONS,
      input: { requirements, constraints },
      answers: DesignAnswer,
    });
    const unanswered = findUnanswered(requirements, report);
    if (unanswered.length > 0) throw new DesignMismatchError(unanswered);
    return ctx.handoff(
      "general-project",
      { title, brief, constraints, summary, report, not_done },
      { handoffType: "component_design_result", reason: `${report.designs.length} designs` },
    );
  },
});

/** Requirements without exactly one design of theirs as they were stated, or one question. */
function findUnanswered(requirements: readonly Requirement[], { designs, questions }: Report): string[] {
  const foreign = designs.filter(
    (one) => !requirements.some((asked) => isDeepStrictEqual(asked, one.requirement)),
  );
  const open = requirements.filter((asked) => {
    const answers = designs.filter((one) => isDeepStrictEqual(asked, one.requirement)).length;
    const asks = questions.filter(({ about }) => about === asked.id).length;
    return answers + Math.min(asks, 1) !== 1;
  });
  return [...new Set([...open.map(({ id }) => id), ...foreign.map(({ requirement }) => requirement.id)])];
}

import { isDeepStrictEqual } from "node:util";
import { agent, readPrompt } from "#shared/runtime";
import type { ContractOutput } from "#shared/contract";
import { ComponentDesign, Project } from "../contracts.ts";
import { DesignMismatchError } from "../errors.ts";
import type { Requirement } from "../requirements.ts";
import { DesignAnswer } from "./answer.ts";
import type { DesignInput } from "./answer.ts";
import { standIns } from "../recordings.ts";

const to = { "general-project": Project };

type Report = ContractOutput<typeof DesignAnswer>;

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "design");

/**
 * Designs circuits from stated quantities. The contract recomputes every number; this agent sees that none is left
 * out.
 */
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
    const input: DesignInput = { requirements, constraints };
    const report = await ctx.model("design", { instructions: INSTRUCTIONS, input, answers: DesignAnswer });
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

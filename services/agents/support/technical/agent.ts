import { agent, readPrompt } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import { EscalationRequest, ReplyRequest, TechnicalIssue } from "../contracts.ts";
import type { Decided } from "../contracts.ts";
import { SeverityVote, TechnicalSteps, countVotes } from "./answer.ts";
import type { Severity, VoteInput } from "./answer.ts";
import { standIns } from "../rehearsal/stand-ins.ts";

const to = { reply: ReplyRequest, escalation: EscalationRequest };

const PROMPT = new URL("prompt.md", import.meta.url);

const STEPS_INSTRUCTIONS = readPrompt(PROMPT, "steps");

/** Weighs an issue by the vote of three, then drafts what the customer can try; what is critical goes to a person. */
export const technical = agent("technical@1", {
  accepts: TechnicalIssue,
  guard: { mayCause: [] },
  to,
  description: "Weighs technical issues by an ensemble of three and drafts the steps to try.",
  capabilities: ["technical-support"],
  answers: [SeverityVote, TechnicalSteps],
  standIns: {
    "severity-impact": standIns["severity-impact"],
    "severity-urgency": standIns["severity-urgency"],
    "severity-workaround": standIns["severity-workaround"],
    steps: standIns.steps,
  },
  handle: async (issue, ctx) => {
    const { customer_email, language, summary, text } = issue;
    const customer = { customer_email, language, summary, text };
    const severity = await voteSeverity({ symptoms: issue.symptoms, text }, ctx);
    const order = issue.order_id === undefined ? {} : { order_id: issue.order_id };
    const decided: Decided = { category: "technical", severity, ...order };
    if (severity === "critical") {
      const findings = [`severity by vote of three: ${severity}`, ...issue.symptoms.slice(0, 5)];
      const incident = { cause: "critical_incident", findings, decided, ...order, ...customer } as const;
      return ctx.handoff("escalation", incident, { reason: "the issue is critical" });
    }
    const asked = {
      instructions: STEPS_INSTRUCTIONS,
      input: { product: issue.product, symptoms: issue.symptoms, language },
      answers: TechnicalSteps,
    };
    const { steps } = await ctx.model("steps", asked);
    return ctx.handoff(
      "reply",
      { outcome: "steps", steps, decided, ...customer },
      { reason: `severity ${severity}` },
    );
  },
});

/**
 * Asks from three sides, each with instructions of its own. The calls go out together; each is recorded by itself, so
 * that a crash asks none of them twice.
 */
async function voteSeverity(input: VoteInput, ctx: Context<typeof to>): Promise<Severity> {
  const ask = async (side: "impact" | "urgency" | "workaround"): Promise<Severity> => {
    const asked = { instructions: readPrompt(PROMPT, side), input, answers: SeverityVote };
    return (await ctx.model(`severity-${side}`, asked)).severity;
  };
  return countVotes(await Promise.all([ask("impact"), ask("urgency"), ask("workaround")]));
}

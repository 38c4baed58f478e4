import { agent, readPrompt } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import { EscalationRequest, ReplyRequest, TechnicalIssue } from "../contracts.ts";
import type { Decided } from "../contracts.ts";
import { SeverityVote, TechnicalSteps } from "./answer.ts";
import type { StepsInput, VoteInput } from "./answer.ts";
import { countVotes } from "./count-votes.ts";
import type { Severity } from "./count-votes.ts";
import { draftSteps } from "../rehearsal/technical.ts";
import { voteByImpact, voteByUrgency, voteByWorkaround } from "../rehearsal/votes.ts";

const to = { reply: ReplyRequest, escalation: EscalationRequest };

const PROMPT = new URL("prompt.md", import.meta.url);

/** Three sides from which an issue is looked at, each with instructions of its own. */
const VOTERS = (["impact", "urgency", "workaround"] as const).map((side) => ({
  step: `severity-${side}`,
  instructions: readPrompt(PROMPT, side),
}));

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
    "severity-impact": voteByImpact,
    "severity-urgency": voteByUrgency,
    "severity-workaround": voteByWorkaround,
    steps: draftSteps,
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
    const input: StepsInput = { product: issue.product, symptoms: issue.symptoms, language };
    const asked = { instructions: STEPS_INSTRUCTIONS, input, answers: TechnicalSteps };
    const { steps } = await ctx.model("steps", asked);
    return ctx.handoff(
      "reply",
      { outcome: "steps", steps, decided, ...customer },
      { reason: `severity ${severity}` },
    );
  },
});

/** The calls go out together; each is recorded by itself, so that a crash asks none of them twice. */
async function voteSeverity(input: VoteInput, ctx: Context<typeof to>): Promise<Severity> {
  const votes = await Promise.all(
    VOTERS.map(({ step, instructions }) => ctx.model(step, { instructions, input, answers: SeverityVote })),
  );
  return countVotes(votes.map((vote) => vote.severity));
}

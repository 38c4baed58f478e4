import { now } from "#shared/clock";
import { watchRouting } from "#shared/patterns";
import { agent, readPrompt } from "#shared/runtime";
import type { Context, HandlerOutcome } from "#shared/runtime";
import type { ContractOutput } from "#shared/contract";
import {
  EscalationRequest,
  FeatureIdea,
  OperationsRequest,
  RefundsRequest,
  ReplyRequest,
  SalesLead,
  SupportEmail,
  TechnicalIssue,
} from "../contracts.ts";
import { readMailbox } from "../read-mailbox.ts";
import { TriageAnswer } from "./answer.ts";
import type { Decision } from "./answer.ts";
import { listUngrounded } from "./ground-decision.ts";
import { readEmail } from "./read-email.ts";
import { routeEmail } from "../rehearsal/triage.ts";

const to = {
  refunds: RefundsRequest,
  technical: TechnicalIssue,
  "feature-requests": FeatureIdea,
  sales: SalesLead,
  operations: OperationsRequest,
  escalation: EscalationRequest,
  reply: ReplyRequest,
};

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "route");

/** Sorts incoming e-mails: one model call chooses the route and takes out what the agent there needs. */
export const triage = agent("triage@1", {
  accepts: SupportEmail,
  guard: {
    mayCause: [],
    untrusted: { payload: { "/subject": "customer", "/body": "customer" } },
    injection: { reaction: "flag" },
  },
  to,
  description: "Sorts e-mails and takes out the parameters of whoever handles them.",
  capabilities: ["routing"],
  tier: "router",
  answers: [TriageAnswer],
  standIns: { route: routeEmail },
  handle: async (email, ctx) => {
    const input = readEmail(email);
    const asked = { instructions: INSTRUCTIONS, input, answers: TriageAnswer, temperature: 0 };
    const startedMs = now();
    const { decision } = await ctx.model("route", asked);
    const modelMs = now() - startedMs;
    const outcome = handOn(decision, email, { text: input.text, ctx });
    watchRouting(ctx, { modelMs, tookMs: now() - startedMs });
    return outcome;
  },
});

type Email = ContractOutput<typeof SupportEmail>;

function handOn(
  decision: Decision,
  email: Email,
  { text, ctx }: { readonly text: string; readonly ctx: Context<typeof to> },
): HandlerOutcome {
  const { language, summary } = decision;
  const customer = { customer_email: readMailbox(email.from), language, summary, text };
  const order =
    "order_id" in decision && decision.order_id !== undefined ? { order_id: decision.order_id } : {};
  const reason = `triage chose ${decision.route}`;
  const ungrounded = listUngrounded(decision, email);
  if (ungrounded.length > 0) {
    const findings = ungrounded.map(
      (field) => `triage named a value for ${field} that the e-mail does not hold`,
    );
    const decided = { category: decision.route };
    return ctx.handoff("escalation", { cause: "unclear", findings, decided, ...customer }, { reason });
  }
  switch (decision.route) {
    case "refunds":
      return handToRefunds(decision, customer, ctx);
    case "technical": {
      const { product, symptoms } = decision;
      return ctx.handoff("technical", { product, symptoms, ...order, ...customer }, { reason });
    }
    case "feature-requests":
      return ctx.handoff("feature-requests", { idea: decision.idea, ...customer }, { reason });
    case "sales": {
      const { route: _route, language: _language, summary: _summary, ...lead } = decision;
      return ctx.handoff("sales", { ...lead, ...customer }, { reason });
    }
    case "operations": {
      const { kind, wants_refund } = decision;
      return ctx.handoff("operations", { kind, wants_refund, ...order, ...customer }, { reason });
    }
    case "escalation":
      return ctx.handoff(
        "escalation",
        { cause: decision.cause, decided: { category: "escalation", ...order }, ...order, ...customer },
        { reason },
      );
    case "spam":
      return ctx.complete({ status: "archived", cause: "spam", language, decided: { category: "spam" } });
  }
}

type Customer = Pick<
  ContractOutput<typeof RefundsRequest>,
  "customer_email" | "language" | "summary" | "text"
>;

/** A refund without an order's number is a question back, never a guess. */
function handToRefunds(
  decision: Extract<Decision, { route: "refunds" }>,
  customer: Customer,
  ctx: Context<typeof to>,
): HandlerOutcome {
  const { order_id, amount = null, reason, account } = decision;
  if (order_id === undefined) {
    return ctx.handoff(
      "reply",
      { outcome: "order_number_needed", decided: { category: "refunds", reason }, ...customer },
      { reason: "no order number given" },
    );
  }
  return ctx.handoff(
    "refunds",
    { order_id, amount, reason, ...(account === undefined ? {} : { account }), ...customer },
    { reason: "a refund is asked for", expectedOutput: "the refund paid once, or why not" },
  );
}

import type { Context, HandlerOutcome } from "#shared/runtime";
import type { ContractOutput } from "#shared/contract";
import {
  EscalationRequest,
  FeatureIdea,
  OperationsRequest,
  RefundsRequest,
  ReplyRequest,
  SalesLead,
  TechnicalIssue,
} from "../contracts.ts";
import { ReplyPlan } from "../joint-reply/contracts.ts";
import type { keepThread } from "../reply/send-once.ts";
import type { Decision } from "./answer.ts";

export const to = {
  refunds: RefundsRequest,
  technical: TechnicalIssue,
  "feature-requests": FeatureIdea,
  sales: SalesLead,
  operations: OperationsRequest,
  escalation: EscalationRequest,
  reply: ReplyRequest,
  "joint-reply": ReplyPlan,
};

export type HandOnContext = Context<typeof to>;

type Customer = Pick<
  ContractOutput<typeof RefundsRequest>,
  "customer_email" | "language" | "summary" | "text"
>;

interface Way {
  readonly ctx: HandOnContext;
  readonly conversation: ReturnType<typeof keepThread>;
}

/** Hands one request to the agent of its route. Routes that ask for nothing are not handed on; they go to a person. */
export function handOn(decision: Decision, customer: Customer, way: Way): HandlerOutcome {
  const { ctx, conversation } = way;
  const order =
    "order_id" in decision && decision.order_id !== undefined ? { order_id: decision.order_id } : {};
  const options = { reason: `triage chose ${decision.route}`, conversation };
  switch (decision.route) {
    case "refunds":
      return handToRefunds(decision, customer, way);
    case "technical": {
      const { product, symptoms } = decision;
      return ctx.handoff("technical", { product, symptoms, ...order, ...customer }, options);
    }
    case "feature-requests":
      return ctx.handoff("feature-requests", { idea: decision.idea, ...customer }, options);
    case "sales": {
      const { route: _route, language: _language, summary: _summary, quote: _quote, ...lead } = decision;
      return ctx.handoff("sales", { ...lead, ...customer }, options);
    }
    case "operations": {
      const { kind, wants_refund } = decision;
      return ctx.handoff("operations", { kind, wants_refund, ...order, ...customer }, options);
    }
    case "escalation": {
      const decided = { category: "escalation", ...order } as const;
      return ctx.handoff("escalation", { cause: decision.cause, decided, ...order, ...customer }, options);
    }
    case "spam":
    case "nothing-asked":
      throw new RangeError(`${decision.route} is nobody's work`);
  }
}

interface MadeUp extends Way {
  readonly decision: Decision;
  readonly missing: readonly string[];
}

/** Hands a request to a person whose values the e-mail does not hold. */
export function escalateUngrounded(customer: Customer, madeUp: MadeUp): HandlerOutcome {
  const { decision, missing, ctx, conversation } = madeUp;
  const findings = missing.map((field) => `triage named a value for ${field} that the e-mail does not hold`);
  const decided = { category: decision.route };
  return ctx.handoff(
    "escalation",
    { cause: "unclear", findings, decided, ...customer },
    { reason: `triage chose ${decision.route}`, conversation },
  );
}

/** A refund without an order's number is a question back, never a guess. */
function handToRefunds(
  decision: Extract<Decision, { route: "refunds" }>,
  customer: Customer,
  { ctx, conversation }: Way,
): HandlerOutcome {
  const { order_id, amount = null, reason, account } = decision;
  if (order_id === undefined) {
    return ctx.handoff(
      "reply",
      { outcome: "order_number_needed", decided: { category: "refunds", reason }, ...customer },
      { reason: "no order number given", conversation },
    );
  }
  return ctx.handoff(
    "refunds",
    { order_id, amount, reason, ...(account === undefined ? {} : { account }), ...customer },
    {
      reason: "a refund is asked for",
      expectedOutput: "the refund paid once, or why not",
      conversation,
    },
  );
}

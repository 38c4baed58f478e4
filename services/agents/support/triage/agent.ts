import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import { agent, readPrompt } from "#shared/runtime";
import type { Context, HandlerOutcome } from "#shared/runtime";
import { now } from "#shared/clock";
import { fanOut, watchRouting } from "#shared/patterns";
import { language as languageField, money, orderId, summary as summaryField } from "../contract-fields.ts";
import {
  ESCALATION_CAUSES,
  operationsKind,
  refundReason,
  EscalationRequest,
  FeatureIdea,
  OperationsRequest,
  RefundsRequest,
  ReplyRequest,
  SalesLead,
  TechnicalIssue,
  SupportEmail,
} from "../contracts.ts";
import { listNumbers, mentions, standsIn } from "../evidence.ts";
import { ReplyPlan } from "../joint-reply/contracts.ts";
import { keepThread } from "../reply/agent.ts";
import { readEmail, readMailbox } from "../read-email.ts";
import { standIns } from "../rehearsal/stand-ins.ts";
import type { Customer } from "../contract-fields.ts";

/** Most requests that one e-mail is taken apart into; what goes beyond waits for a person. */
const REQUESTS_MAX = 8;

const read = {
  language: languageField,
  summary: summaryField,
  /** The customer's sentence that asks for this, word for word: evidence, which no repair writes. */
  quote: z.string().min(1).max(500),
};
const shortText = z.string().min(1).max(300).meta({ "x-surgeon-writes": true });

const decisionForm = z.discriminatedUnion("route", [
  z.object({
    route: z.literal("refunds"),
    ...read,
    order_id: orderId.optional(),
    /** Left out: the whole order. */
    amount: money.optional(),
    reason: refundReason,
    account: sensitive(z.string().min(4).max(64).meta({ "x-locked": true })).optional(),
  }),
  z.object({
    route: z.literal("technical"),
    ...read,
    product: z.string().min(1).max(200),
    symptoms: z.array(shortText).max(10),
    order_id: orderId.optional(),
  }),
  z.object({ route: z.literal("feature-requests"), ...read, idea: shortText }),
  z.object({
    route: z.literal("sales"),
    ...read,
    company: z.string().min(1).max(200).optional(),
    seats: z.int().positive().max(1_000_000).optional(),
    budget: money.optional(),
  }),
  z.object({
    route: z.literal("operations"),
    ...read,
    kind: operationsKind,
    order_id: orderId.optional(),
    wants_refund: z.boolean(),
  }),
  z.object({
    route: z.literal("escalation"),
    ...read,
    cause: z.enum(ESCALATION_CAUSES),
    order_id: orderId.optional(),
  }),
  z.object({ route: z.literal("spam"), ...read }),
  /** Thanks and other words that ask for nothing. */
  z.object({ route: z.literal("nothing-asked"), ...read }),
]);

/**
 * The router's one answer: every request of the e-mail in its order, each with its route and what the agent there
 * needs, so that nobody parses it again. A route that is not in the list is no answer at all.
 */
const TriageAnswer = contract(
  "triage.requests@1",
  z.object({ requests: z.array(decisionForm).min(1).max(REQUESTS_MAX) }),
  { description: "Where the requests of an e-mail go, with the parameters of whoever handles them." },
);

type Decision = ContractOutput<typeof TriageAnswer>["requests"][number];

const to = {
  refunds: RefundsRequest,
  technical: TechnicalIssue,
  "feature-requests": FeatureIdea,
  sales: SalesLead,
  operations: OperationsRequest,
  escalation: EscalationRequest,
  reply: ReplyRequest,
  "joint-reply": ReplyPlan,
};

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "route");

/** Mailboxes from which programs report that a mail did not arrive. Nobody reads an answer to them. */
const MAIL_PROGRAMS = /^(?:mailer-daemon|postmaster)@/;

/**
 * Sorts incoming e-mails: one model call finds the requests, chooses their routes and takes out what the agents there
 * need. Several requests become branches, which `joint-reply` answers together; each has the whole e-mail before it.
 */
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
  standIns: { requests: standIns.requests },
  handle: async (email, ctx) => {
    if (MAIL_PROGRAMS.test(readMailbox(email.from))) return ctx.complete(archived("automatic", "other"));
    const input = readEmail(email);
    const asked = { instructions: INSTRUCTIONS, input, answers: TriageAnswer, temperature: 0 };
    const startedMs = now();
    const { requests } = await ctx.model("requests", asked);
    const modelMs = now() - startedMs;
    // A subject may say what the text does not.
    const subject = input.subject.trim();
    const text = subject === "" ? input.text : `${subject}\n\n${input.text}`;
    const outcome = handAllOn(requests, { email, text, ctx });
    watchRouting(ctx, { modelMs, tookMs: now() - startedMs });
    return outcome;
  },
});

type Email = ContractOutput<typeof SupportEmail>;

interface Read {
  readonly email: Email;
  /** The customer's own words. */
  readonly text: string;
  readonly ctx: Context<typeof to>;
}

const isIdle = ({ route }: Decision): boolean => route === "spam" || route === "nothing-asked";

function handAllOn(requests: readonly Decision[], { email, text, ctx }: Read): HandlerOutcome {
  // Advertising and thanks beside real requests are no work of their own.
  const work = requests.filter((request) => !isIdle(request));
  const [first, ...more] = work.length === 0 ? requests : work;
  if (first === undefined) throw new RangeError("the contract asks for one request at least");
  if (isIdle(first) && listUngrounded(first, email).length === 0)
    return ctx.complete(archived(first.route, first.language));
  const conversation = keepThread(ctx.envelope.conversation, email);
  const customer_email = readMailbox(email.from);
  const branches = [first, ...more].map((decision) => {
    const { language, summary, route } = decision;
    const customer = { customer_email, language, summary, text };
    const missing = listUngrounded(decision, email);
    if (missing.length === 0) return handOn(decision, customer, { ctx, conversation });
    // A value that the e-mail does not hold was made up: a person reads it.
    const findings = missing.map(
      (field) => `triage named a value for ${field} that the e-mail does not hold`,
    );
    const unclear = { cause: "unclear", findings, decided: { category: route }, ...customer } as const;
    return ctx.handoff("escalation", unclear, { reason: `triage chose ${route}`, conversation });
  });
  const [single] = branches;
  if (single !== undefined && more.length === 0) return single;
  const summaries = [first, ...more].map(({ summary }) => summary);
  const plan = { customer_email, language: first.language, requests: summaries };
  const join = ctx.handoff("joint-reply", plan, { reason: `${branches.length} requests`, conversation });
  return fanOut({ branches, join, policy: "collect" });
}

function archived(cause: string, language: string) {
  const category = cause === "nothing-asked" ? cause : "spam";
  return { status: "archived", cause, language, decided: { category } };
}

interface Way extends Pick<Read, "ctx"> {
  readonly conversation: ReturnType<typeof keepThread>;
}

/** Hands one request to the agent of its route. Routes that ask for nothing are not handed on; they go to a person. */
function handOn(decision: Decision, customer: Customer, way: Way): HandlerOutcome {
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
    { reason: "a refund is asked for", expectedOutput: "the refund paid once, or why not", conversation },
  );
}

/**
 * Returns the fields of a decision whose values the e-mail does not hold, quoted history included: the order number,
 * the sum and the account of a refund, and the quotation of what moves money or ends the matter.
 */
function listUngrounded(found: Decision, email: Email): string[] {
  const source = `${email.subject}\n${email.body}\n${email.order_hint ?? ""}`;
  const { order_id } = { order_id: undefined, ...found };
  const { account, amount } = found.route === "refunds" ? found : {};
  const isEvidence = found.route === "refunds" || isIdle(found);
  const held = {
    order_id: order_id === undefined || mentions(source, order_id),
    quote: !isEvidence || standsIn(source, found.quote),
    account: account === undefined || mentions(source, account),
    // Digit for digit.
    amount: amount === undefined || listNumbers(source).includes(amount.value),
  };
  return Object.entries(held).flatMap(([field, isHeld]) => (isHeld ? [] : [field]));
}

import { agent, readPrompt } from "#shared/runtime";
import type { Context, HandlerOutcome } from "#shared/runtime";
import type { ContractOutput } from "#shared/contract";
import type { Outside, Refund } from "../outside/ports.ts";
import type { Money } from "../contract-fields.ts";
import { EscalationRequest, RefundsRequest, ReplyRequest } from "../contracts.ts";
import type { Decided } from "../contracts.ts";
import { RefundClaim, decideRefund } from "./policy.ts";
import { standIns } from "../rehearsal/stand-ins.ts";
import { customerOf } from "../contract-fields.ts";

const to = { reply: ReplyRequest, escalation: EscalationRequest };

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "claim");

type Request = ContractOutput<typeof RefundsRequest>;

/** A refund as this agent remembers it, by order. `message_id` is the message that it was paid for. */
interface PaidRefund {
  readonly refund: Refund;
  readonly message_id: string;
}

/** Looks up the order, reads the request twice, decides by the house rules, and pays at most once; else a person. */
export function createRefunds(outside: Pick<Outside, "orders" | "payments">) {
  return agent("refunds@2", {
    accepts: RefundsRequest,
    guard: {
      mayCause: ["refund"],
      // A help desk hands in here too, past triage.
      untrusted: { payload: { "/text": "customer", "/summary": "customer" } },
      injection: { reaction: "flag" },
      refusesTaint: { refund: ["injection_suspected"] },
    },
    outside: true,
    to,
    description: "Decides refunds by policy and pays each order back at most once.",
    capabilities: ["refunds"],
    answers: [RefundClaim],
    standIns: { claim: standIns.claim },
    handle: async (request, ctx) => {
      const order = await ctx.step("order", (signal) => outside.orders.find(request.order_id, signal));
      if (order === null) return reply(ctx, request, { outcome: "order_unknown", facts: [] });
      const text = request.text === "" ? request.summary : request.text;
      const claim = await ctx.model("claim", {
        instructions: INSTRUCTIONS,
        input: { order_id: request.order_id, text },
        answers: RefundClaim,
        temperature: 0,
      });
      // The message's own time, not the clock's: a later delivery of the same message decides the same.
      const atMs = Date.parse(ctx.envelope.meta.timestamp);
      const decision = decideRefund({ request, claim, text, order, atMs });
      switch (decision.kind) {
        case "escalate":
          return escalate(ctx, request, decision);
        case "already_refunded":
          return reply(ctx, request, { outcome: "already_refunded", facts: [] });
        case "decline":
          return reply(ctx, request, { outcome: "refund_declined", facts: [] });
        case "pay":
          return pay(ctx, request, { amount: decision.amount, payments: outside.payments });
      }
    },
  });
}

interface Payment {
  readonly amount: Money;
  readonly payments: Outside["payments"];
}

/** The key is the order: whatever run or message asks again gets the refund that was made. */
async function pay(
  ctx: Context<typeof to>,
  request: Request,
  { amount, payments }: Payment,
): Promise<HandlerOutcome> {
  const { message_id } = ctx.envelope.meta;
  const { order_id, reason } = request;
  const order = { order_id, amount: amount.value, currency: amount.currency, reason };
  const paid = await ctx.once<PaidRefund>(
    `refund:${order_id.toUpperCase()}`,
    async (key, signal) => ({ refund: await payments.make(order, key, signal), message_id }),
    {
      scope: "agent",
      reconcile: async (key, signal) => {
        const refund = await payments.find(key, signal);
        return refund === null ? { done: false } : { done: true, value: { refund, message_id } };
      },
    },
  );
  const facts = [
    { label: "refund", value: paid.refund.refund_id },
    { label: "amount", value: `${paid.refund.amount.toFixed(2)} ${paid.refund.currency}` },
  ];
  const outcome = paid.message_id === message_id ? "refund_paid" : "already_refunded";
  return reply(ctx, request, { outcome, facts });
}

type Told = Required<Pick<ContractOutput<typeof ReplyRequest>, "outcome" | "facts">>;

function reply(ctx: Context<typeof to>, request: Request, told: Told): HandlerOutcome {
  const facts = [{ label: "order", value: request.order_id }, ...told.facts];
  const decided = decidedOf(request);
  const payload = { outcome: told.outcome, facts, decided, ...customerOf(request) };
  return ctx.handoff("reply", payload, { reason: `refund: ${told.outcome}` });
}

function decidedOf({ order_id, amount, reason }: Request): Decided {
  return { category: "refunds", order_id, reason, ...(amount === null ? {} : { amount }) };
}

interface Finding {
  readonly cause: ContractOutput<typeof EscalationRequest>["cause"];
  readonly finding: string;
}

function escalate(ctx: Context<typeof to>, request: Request, { cause, finding }: Finding): HandlerOutcome {
  const decided = decidedOf(request);
  const { order_id } = request;
  const payload = { cause, findings: [finding], order_id, decided, ...customerOf(request) };
  return ctx.handoff("escalation", payload, { reason: `refund needs a person: ${cause}` });
}

import { z } from "zod";
import { agent, readPrompt } from "#shared/runtime";
import { contract } from "#shared/contract";
import { tool, ToolProblemError } from "#shared/runtime/tools";
import type { Tool } from "#shared/runtime/tools";
import { actOnce, isBuyer } from "../outside/ports.ts";
import type { Order, Outside } from "../outside/ports.ts";
import { CURRENCIES, orderId, customerOf } from "../contract-fields.ts";
import { requestKey } from "../joint-reply/contracts.ts";
import { EscalationRequest, OperationsRequest, RefundsRequestV1, ReplyRequest } from "../contracts.ts";
import type { Decided } from "../contracts.ts";
import { standIns } from "../rehearsal/stand-ins.ts";

const TicketNote = contract(
  "operations.ticket@1",
  z.object({
    title: z.string().min(1).max(120).meta({ "x-surgeon-writes": true }),
    body: z.string().min(1).max(2000).meta({ "x-surgeon-writes": true }),
    severity: z.enum(["low", "medium", "high"]),
  }),
  { description: "A ticket as the people in operations read it." },
);

/** Operations still writes the older form of a refund; the upcaster of the receiver lifts it. */
const to = { reply: ReplyRequest, refunds: RefundsRequestV1, escalation: EscalationRequest };

/** Statuses of orders that will not arrive. */
const LOST = new Set(["lost", "returned_to_sender", "cancelled"]);

/** Answers with calls of tools before the ticket has to be written. */
const LOOKS_MAX = 3;

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "ticket");

/** Opens one ticket for each run. A lost order whose buyer would rather have the money goes on to refunds. */
export function createOperations(outside: Pick<Outside, "orders" | "tickets">) {
  return agent("operations@1", {
    accepts: OperationsRequest,
    guard: { mayCause: ["ticket"] },
    outside: true,
    to,
    description: "Opens tickets for deliveries, addresses, invoices and accounts.",
    capabilities: ["operations"],
    answers: [TicketNote],
    standIns: { ticket: standIns.ticket },
    handle: async (request, ctx) => {
      const { kind, order_id, summary, text, customer_email } = request;
      const customer = customerOf(request);
      const about = order_id === undefined ? {} : { order_id };
      const decided: Decided = { category: "operations", kind, ...about };
      const order =
        order_id === undefined
          ? null
          : await ctx.step("order", (signal) => outside.orders.find(order_id, signal));
      if (order !== null && !isBuyer(order, customer_email)) {
        const findings = ["the order belongs to another customer than the sender"];
        return ctx.handoff(
          "escalation",
          { cause: "conflicting_facts", findings, decided, ...customer },
          { reason: "the order is another customer's" },
        );
      }
      const note = await ctx.model("ticket", {
        instructions: INSTRUCTIONS,
        input: { kind, order_id: order_id ?? null, summary, text },
        answers: TicketNote,
        tools: [lookUpOrder(outside.orders, customer_email)],
        toolRoundsMax: LOOKS_MAX,
      });
      const { ticket_id } = await actOnce(ctx, {
        key: requestKey("ticket", ctx.envelope),
        port: outside.tickets,
        draft: { queue: "operations", ...note },
      });
      const refund = request.wants_refund && order !== null ? refundOf(order) : null;
      if (refund !== null) {
        return ctx.handoff(
          "refunds",
          { ...refund, ...customer },
          { reason: `the order is lost, ticket ${ticket_id}` },
        );
      }
      const facts = [{ label: "ticket", value: ticket_id }];
      return ctx.handoff(
        "reply",
        { outcome: "ticket_opened", facts, decided, ...customer },
        { reason: `ticket: ${kind}` },
      );
    },
  });
}

/** The whole price of an order that is lost, in cents; null for any other order. */
function refundOf(order: Order) {
  const currency = CURRENCIES.find((name) => name === order.currency.toUpperCase());
  const cents = Math.round(order.total * 100);
  if (currency === undefined || cents <= 0 || !LOST.has(order.status)) return null;
  return { order: order.order_id, amount: cents, currency, reason: "not_received" } as const;
}

/**
 * Returns a tool that looks up an order of one customer; anybody else's does not exist. Tells no address or price.
 * @param customerEmail - The sender of the e-mail, from its envelope and not from its words.
 */
export function lookUpOrder(orders: Outside["orders"], customerEmail: string): Tool {
  return tool("look_up_order", {
    description: "Looks up the state of an order of the customer who wrote. Changes nothing.",
    input: z.strictObject({ order_id: orderId.describe("The order's number, as the customer wrote it.") }),
    output: z.object({ order_id: z.string(), status: z.string(), bought_at: z.string() }),
    effect: "none",
    call: async ({ order_id }, { signal }) => {
      const order = await orders.find(order_id, signal);
      if (order === null || !isBuyer(order, customerEmail))
        throw new ToolProblemError("The customer has no such order.");
      const { status, bought_at } = order;
      return { order_id: order.order_id, status, bought_at };
    },
  });
}

import { z } from "zod";
import { checkPayload, contract, sensitive } from "#shared/contract";
import {
  checkMoney,
  customerEmail,
  fileReference,
  fromCustomer,
  messageId,
  money,
  orderId,
  summary,
  EMAIL_CHARACTERS_MAX,
  SUBJECT_CHARACTERS_MAX,
} from "./contract-fields.ts";

/** A mailbox as mail programs write it: `a@b.example` or `Name <a@b.example>`. */
const MAILBOX = /^(?:[^<>\r\n]{0,200}<[^\s<>@]{1,64}@[^\s<>@]{1,253}>|[^\s<>@]{1,64}@[^\s<>@]{1,253})$/;

export const SupportEmail = contract(
  "support.email@1",
  z.object({
    from: sensitive(
      z
        .string()
        .regex(MAILBOX)
        .meta({ "x-locked": true, "x-aliases": ["sender", "from_address"] }),
    ),
    subject: z.string().max(SUBJECT_CHARACTERS_MAX).default(""),
    body: z
      .string()
      .min(1)
      .max(EMAIL_CHARACTERS_MAX)
      .meta({ "x-aliases": ["text", "content", "message"] }),
    received_at: z.iso.datetime({ offset: true }).optional(),
    order_hint: orderId.optional(),
    attachments: z.array(fileReference).max(50).default([]),
    /** `Message-ID` of the e-mail; with it the answer is sent as mail. Default: whoever gave the task sends it. */
    message_id: messageId.optional(),
    /** `References` of the e-mail, oldest first. */
    references: z.array(messageId).max(100).default([]),
  }),
  {
    description: "One customer e-mail as the help desk received it.",
    check: (email) =>
      email.body.trim() === "" && email.subject.trim() === ""
        ? [{ path: "/body", code: "nothing_said", message: "the e-mail has neither a subject nor a text" }]
        : [],
  },
);

export const refundReason = z
  .enum(["damaged", "not_received", "wrong_item", "duplicate_charge", "changed_mind", "cancelled", "other"])
  .meta({
    "x-synonyms": {
      damaged: ["broken", "defective", "faulty", "defekt", "kaputt"],
      not_received: ["lost", "never arrived", "missing parcel", "not delivered"],
      wrong_item: ["wrong product", "incorrect item", "wrong size"],
      duplicate_charge: ["charged twice", "double charge", "double payment"],
      changed_mind: ["withdrawal", "return", "no longer wanted", "widerruf"],
      cancelled: ["canceled", "order cancelled", "cancellation"],
      other: ["misc", "miscellaneous"],
    },
  });

export const RefundsRequestV1 = contract(
  "refunds.request@1",
  z.strictObject({
    order: orderId,
    amount: z.int().positive().max(100_000_000).meta({ "x-locked": true, "x-unit": "cent" }),
    currency: money.shape.currency.default("EUR"),
    reason: refundReason.default("other"),
    customer_email: customerEmail,
    language: fromCustomer.language,
    summary,
    text: fromCustomer.text,
  }),
  { description: "A refund asked for, the amount in cents (older form)." },
);

export const RefundsRequest = contract(
  "refunds.request@2",
  z.strictObject({
    order_id: orderId,
    /** Null asks for the whole order's price; leaving it out is not an answer. */
    amount: money.nullable().meta({ "x-locked": true, "x-aliases": ["refund_amount"] }),
    reason: refundReason,
    /** Account that the customer names in place of the one that paid. No machine pays to it. */
    account: sensitive(z.string().min(4).max(64).meta({ "x-locked": true, "x-two-person": true })).optional(),
    ...fromCustomer,
  }),
  {
    description: "A refund of one order, in whole or in part.",
    check: (request) => checkMoney(request.amount, "/amount"),
    // Checked before it is lifted: "4250" cents as text would arrive as "4250" units, and a repair pay a hundred times.
    upcast: (previous) => {
      const { order, amount, currency, ...kept } = checkPayload(RefundsRequestV1, previous);
      return { ...kept, order_id: order, amount: { value: amount / 100, currency } };
    },
  },
);

export const TechnicalIssue = contract(
  "technical.issue@1",
  z.object({
    product: z.string().min(1).max(200).default("unknown"),
    symptoms: z.array(z.string().min(1).max(300)).max(10).default([]),
    order_id: orderId.optional(),
    ...fromCustomer,
  }),
  { description: "Something does not work as it should." },
);

export const FeatureIdea = contract(
  "features.idea@1",
  z.object({ idea: z.string().min(1).max(1000).meta({ "x-surgeon-writes": true }), ...fromCustomer }),
  { description: "A wish for something the product does not do yet." },
);

export const SalesLead = contract(
  "sales.lead@1",
  z.object({
    company: z
      .string()
      .min(1)
      .max(200)
      .meta({ "x-aliases": ["organisation", "organization", "firm"] })
      .optional(),
    seats: z
      .int()
      .positive()
      .max(1_000_000)
      .meta({ "x-unit": "seats", "x-aliases": ["users", "licences"] })
      .optional(),
    budget: money.optional(),
    ...fromCustomer,
  }),
  {
    description: "Somebody may want to buy.",
    check: (lead) => checkMoney(lead.budget ?? null, "/budget"),
  },
);

export const operationsKind = z
  .enum(["delivery", "address_change", "invoice", "account", "exchange", "other"])
  .meta({
    "x-synonyms": {
      delivery: ["shipping", "shipment", "parcel", "tracking", "versand", "livraison"],
      address_change: ["change of address", "new address", "adresse"],
      invoice: ["billing", "bill", "receipt", "rechnung", "facture"],
      account: ["login data", "profile", "subscription", "konto"],
      exchange: ["replacement", "swap", "umtausch"],
      other: ["misc", "miscellaneous", "general"],
    },
  });

export const OperationsRequest = contract(
  "operations.request@1",
  z.object({
    kind: operationsKind,
    order_id: orderId.optional(),
    wants_refund: z.boolean().default(false),
    ...fromCustomer,
  }),
  { description: "Something a person in operations has to do: deliveries, addresses, invoices, accounts." },
);

export const REPLY_OUTCOMES = [
  "refund_paid",
  "refund_declined",
  "already_refunded",
  "order_number_needed",
  "order_unknown",
  "ticket_opened",
  "steps",
  "idea_noted",
  "lead_welcomed",
] as const;

export type ReplyOutcome = (typeof REPLY_OUTCOMES)[number];

export const CATEGORIES = [
  "refunds",
  "technical",
  "feature-requests",
  "sales",
  "operations",
  "escalation",
  "spam",
  "nothing-asked",
] as const;

/** The team's decision about an e-mail, as fields of the client's own ticket. */
export const decided = z.object({
  /** The agent that settled it. */
  category: z.enum(CATEGORIES),
  severity: z.enum(["low", "medium", "high", "critical"]).optional(),
  order_id: orderId.optional(),
  /** The sum that was asked for, which may not be the sum that was paid. */
  amount: money.optional(),
  reason: refundReason.optional(),
  kind: operationsKind.optional(),
  /** Lead score, 0 to 100. */
  score: z.int().min(0).max(100).optional(),
  /** True for a lead that goes on. */
  qualified: z.boolean().optional(),
});

export type Decided = z.output<typeof decided>;

export const ReplyRequest = contract(
  "reply.request@1",
  z.object({
    outcome: z.enum(REPLY_OUTCOMES),
    /** Facts that the answer must hold verbatim: reference numbers, sums. */
    facts: z
      .array(
        z.object({
          label: z.string().min(1).max(60),
          value: z.string().min(1).max(200).meta({ "x-locked": true }),
        }),
      )
      .max(20)
      .default([]),
    steps: z.array(z.string().min(1).max(500)).max(10).default([]),
    decided: decided.optional(),
    ...fromCustomer,
  }),
  { description: "What was done for a customer, to be told in their language." },
);

export const ESCALATION_CAUSES = [
  "legal_threat",
  "safety",
  "privacy",
  "press",
  "over_limit",
  "conflicting_facts",
  "payout_elsewhere",
  "critical_incident",
  "unclear",
] as const;

export const EscalationRequest = contract(
  "escalation.request@1",
  z.object({
    cause: z.enum(ESCALATION_CAUSES),
    /** The agents' findings so far, for the person who takes over. */
    findings: z.array(z.string().min(1).max(300)).max(20).default([]),
    order_id: orderId.optional(),
    decided: decided.optional(),
    ...fromCustomer,
  }),
  { description: "A matter that a person has to decide." },
);

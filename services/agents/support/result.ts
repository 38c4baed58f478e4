import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import { CURRENCIES, LANGUAGES } from "./contract-fields.ts";
import { CATEGORIES, decided, ESCALATION_CAUSES, REPLY_OUTCOMES } from "./contracts.ts";
import { HandOverPacket } from "./escalation/agent.ts";

/** Has no pattern and no bound: sensitive data in it is replaced by `[card]` and the like before the check. */
const text = z.string();
const language = z.enum(LANGUAGES);
const category = z.enum(CATEGORIES);

const decision = decided.extend({ order_id: text.optional() });

const reply = {
  to: sensitive(text),
  language,
  subject: text,
  body: text,
  /** Money that was paid back; absent where none was, or in several currencies. */
  refunded: z.object({ value: z.number().positive(), currency: z.enum(CURRENCIES) }).optional(),
  /** `Message-ID` of the sent mail; absent where the client sends the answer. */
  mailed: text.optional(),
};

const answered = z.object({
  status: z.literal("answered"),
  outcome: z.enum(REPLY_OUTCOMES),
  ...reply,
  decided: decision.optional(),
});

/** One answer to an e-mail with several requests. `escalated`: a person decides all of them. */
const answeredTogether = z.object({
  status: z.enum(["answered", "escalated"]),
  ...reply,
  parts: z
    .array(
      decision.partial().extend({
        status: z.enum(["answered", "escalated", "archived"]),
        outcome: z.enum(REPLY_OUTCOMES).optional(),
        cause: z.enum(ESCALATION_CAUSES).optional(),
        facts: z.array(z.object({ label: text, value: text })),
      }),
    )
    .min(1),
});

const escalated = z.object({
  status: z.literal("escalated"),
  cause: z.enum(ESCALATION_CAUSES),
  ticket_id: text,
  customer_email: sensitive(text),
  language,
  packet: HandOverPacket.schema.extend({
    headline: text,
    what_happened: text,
    what_is_wanted: text,
    suggested_next: text,
  }),
  decided: decision.optional(),
});

const archived = z.object({
  status: z.literal("archived"),
  cause: z.enum(["automatic", "spam", "nothing-asked"]),
  language,
  decided: z.object({ category }),
});

const archivedLead = z.object({
  status: z.literal("archived"),
  score: z.int().min(0).max(100),
  reasons: z.array(text),
  language,
  decided: decision,
});

export const SupportResult = contract(
  "support.result@1",
  z.union([answeredTogether, answered, escalated, archived, archivedLead]),
  { description: "What became of an e-mail: answered, with a person, or archived." },
);

import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import { tag, reason } from "./contracts.ts";
import { entity, InvoiceAnswer } from "./invoice/answer.ts";
import { auditFinding } from "./invoice/audit-invoice.ts";
import { confirmedField } from "./invoice/confirm-fields.ts";
import { pageRange } from "./longread/crew.ts";

/** Has no pattern and no bound: sensitive data in it is replaced by `[card]` and the like before the check. */
const text = z.string();

const file = { name: sensitive(text), sha256: text };
const tags = z.array(tag);
const reasons = z.array(reason.extend({ path: text.nullable(), message: text }));

const invoice = z.object({
  kind: z.literal("invoice"),
  /** `sound`: all holds. `doubtful`: something does not. `for_a_person`: what matters cannot be told. */
  status: z.enum(["sound", "doubtful", "for_a_person"]),
  ...file,
  reasons,
  /** As stated, without what nothing in the document confirms. */
  invoice: InvoiceAnswer.schema.extend({
    entities: z.array(entity.extend({ iban: sensitive(text).nullable() })),
  }),
  fields: z.array(confirmedField),
  findings: z.array(auditFinding),
});

const picture = z.object({
  kind: z.literal("picture"),
  status: z.enum(["described", "for_a_person"]),
  ...file,
  reasons,
  tags,
  description: text,
  /** In pixels. */
  width: z.int().positive(),
  height: z.int().positive(),
  /** Null: nothing was asked. */
  answer: z.object({ is_shown: z.boolean(), answer: text }).nullable(),
});

const unclear = z.object({
  kind: z.literal("unclear"),
  status: z.literal("for_a_person"),
  ...file,
  question: text.nullable(),
  tags,
  description: text,
  reasons,
});

const document = z.object({
  kind: z.literal("document"),
  status: z.enum(["read", "partly_read", "nothing_read"]),
  ...file,
  question: text.nullable(),
  tags,
  pages: z.int().positive(),
  chunks: z.int().positive(),
  summary: text,
  key_points: z.array(z.object({ page: z.int().positive(), point: text, quote: sensitive(text) })),
  /** Points left out because their words do not stand in the text. */
  unsupported: z.int().nonnegative(),
  unread: z.array(pageRange),
});

const unreadDocument = z.object({ kind: z.literal("document"), status: z.literal("nothing_read") });

export const DocumentsResult = contract(
  "documents.result@1",
  z.union([invoice, picture, unclear, document, unreadDocument]),
  { description: "What a file holds: an invoice, a picture, a text, or that it cannot be told." },
);

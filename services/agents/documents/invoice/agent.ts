import { agent, readPrompt } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import type { ContractOutput } from "#shared/contract";
import { TaggedDocument } from "../contracts.ts";
import { DocumentTooLongError } from "../errors.ts";
import { INVOICE_CHARACTERS_MAX } from "../limits.ts";
import { libraryOf, loadPages, pictureOf, shownDigest, textOf } from "../library.ts";
import type { Library } from "../library.ts";
import { InvoiceAnswer } from "./answer.ts";
import type { Invoice, InvoiceInput } from "./answer.ts";
import { confirmFields } from "./confirm-fields.ts";
import { judgeInvoice } from "./judge-invoice.ts";
import { auditInvoice } from "./audit-invoice.ts";
import { extractInvoice } from "../rehearsal/invoice.ts";

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "extract");
/** Part of the key under which extractions are kept. */
const EDITION = "2";
const DELIVERIES_MAX = 12;

type Tagged = ContractOutput<typeof TaggedDocument>;

/** Takes out of an invoice what it states, recomputes it, and tells what does not hold. */
export const createInvoice = (library: Library) =>
  agent("invoice@1", {
    accepts: TaggedDocument,
    description: "Extracts invoices as stated, recomputes them, and tells what does not hold.",
    capabilities: ["extraction"],
    promptVersion: EDITION,
    deliveriesMax: DELIVERIES_MAX,
    answers: [InvoiceAnswer],
    standIns: { extract: extractInvoice },
    needs: { extract: { fields: ["/sha256", "/text"] } },
    contextTokensMax: 24_000,
    guard: {
      mayCause: ["extract"],
      untrusted: { payload: { "/question": "customer", "/description": "file" } },
      injection: { reaction: "flag" },
    },
    handle: async (document, ctx) => {
      const own = libraryOf(library, ctx.envelope);
      const pages = await pagesOf(own, document);
      const text = pages?.join("\n") ?? null;
      const stated = await extract({ library: own, ctx, document, text });
      const { ocr } = document.content;
      const confirmed = confirmFields(stated, pages ?? [], (ocr?.pages.length ?? 0) > 0);
      const { name, sha256 } = document.file;
      const judged = judgeInvoice({ document, stated, confirmed, findings: auditInvoice(stated, text) });
      return ctx.complete({ kind: "invoice", name, sha256, ...judged });
    },
  });

/** Null: the invoice is a picture without readable text. @throws {DocumentTooLongError} No model is shown as much. */
async function pagesOf(library: Library, { content }: Tagged): Promise<string[] | null> {
  const reference = textOf(content);
  if (reference === null) return null;
  if (reference.characters > INVOICE_CHARACTERS_MAX) throw new DocumentTooLongError(INVOICE_CHARACTERS_MAX);
  return loadPages(library, reference);
}

interface Extraction {
  readonly library: Library;
  readonly ctx: Context;
  readonly document: Tagged;
  readonly text: string | null;
}

/** Extracts an invoice once for the same bytes, over all runs. */
function extract({ library, ctx, document, text }: Extraction): Promise<Invoice> {
  const { file, content } = document;
  const input: InvoiceInput = { sha256: file.sha256, text };
  const ask = (): Promise<Invoice> =>
    ctx.model("extract", {
      instructions: INSTRUCTIONS,
      input,
      answers: InvoiceAnswer,
      ...(content.kind === "picture" ? { images: [pictureOf(library, file, content)] } : {}),
    });
  // Asking again does no harm: an extraction that was paid for is on this message's record.
  const reconcile = (): Promise<{ readonly done: false }> => Promise.resolve({ done: false });
  return ctx.once(`extract:${EDITION}:${shownDigest(file, content)}`, ask, { scope: "agent", reconcile });
}

import { agent, readPrompt } from "#shared/runtime";
import type { ContractOutput } from "#shared/contract";
import { TaggedDocument } from "../contracts.ts";
import { DocumentTooLongError } from "../errors.ts";
import { INVOICE_CHARACTERS_MAX } from "../limits.ts";
import { askOnce, libraryOf, loadPages, pictureOf, textOf } from "../library.ts";
import type { Library } from "../library.ts";
import { InvoiceAnswer } from "./answer.ts";
import { judgeInvoice } from "./judge-invoice.ts";
import { auditInvoice } from "./audit-invoice.ts";
import { quoted, SecondReading } from "./second-reading.ts";
import { standIns } from "../rehearsal/stand-ins.ts";

const PROMPT = new URL("prompt.md", import.meta.url);
const EXTRACT = readPrompt(PROMPT, "extract");
const REREAD = readPrompt(PROMPT, "reread");
/** Part of the key under which answers are kept: another prompt asks anew. */
const EDITION = "4";
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
    answers: [InvoiceAnswer, SecondReading],
    standIns: { extract: standIns.extract, reread: standIns.reread },
    needs: { extract: { fields: ["/sha256", "/text"] }, reread: { fields: ["/sha256", "/text"] } },
    contextTokensMax: 24_000,
    guard: {
      mayCause: ["extract", "reread"],
      untrusted: { payload: { "/question": "customer", "/description": "file" } },
      injection: { reaction: "flag" },
    },
    handle: async (document, ctx) => {
      const { file, content } = document;
      const own = libraryOf(library, ctx.envelope);
      const pages = await pagesOf(own, document);
      const text = pages?.join("\n") ?? null;
      const images = content.kind === "picture" ? { images: [pictureOf(own, file, content)] } : {};
      // `text` is null for a picture in which no text could be read. A picture is shown beside its text.
      const ask = { input: { sha256: file.sha256, text }, ...images };
      const stated = await askOnce(ctx, { step: `extract:${EDITION}`, file, content }, () =>
        ctx.model("extract", { ...ask, instructions: EXTRACT, answers: InvoiceAnswer }),
      );
      // Knows nothing of the first answer: where they differ over money, a person says.
      const second = await askOnce(ctx, { step: `reread:${EDITION}`, file, content }, () =>
        ctx.model("reread", { ...ask, instructions: REREAD, answers: SecondReading, temperature: 0 }),
      );
      const judged = judgeInvoice({
        document,
        stated,
        second: quoted(second, text ?? ""),
        pages: pages ?? [],
        isScan: (document.content.ocr?.pages.length ?? 0) > 0,
        findings: auditInvoice(stated, text),
      });
      const { name, sha256 } = document.file;
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

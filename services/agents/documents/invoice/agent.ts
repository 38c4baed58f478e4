import { agent, readPrompt } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import type { ContractOutput } from "#shared/contract";
import { TaggedDocument, INVOICE_CHARACTERS_MAX, isMoneyType } from "../contracts.ts";
import type { Reason } from "../contracts.ts";
import { DocumentTooLongError } from "../errors.ts";
import { askOnce, loadPages, pictureOf, textOf } from "../library.ts";
import { InvoiceAnswer, quoted, SecondReading } from "./answer.ts";
import { auditInvoice } from "./audit-invoice.ts";
import type { AuditFinding } from "./audit-invoice.ts";
import { standIns } from "../recordings.ts";
import { confirmFields, withoutRefused } from "./confirm-fields.ts";
import type { ConfirmedField, ReadInvoice } from "./confirm-fields.ts";

const PROMPT = new URL("prompt.md", import.meta.url);
const EXTRACT = readPrompt(PROMPT, "extract");
const REREAD = readPrompt(PROMPT, "reread");
/** Part of the key under which answers are kept: another prompt asks anew. */
const EDITION = "4";
const DELIVERIES_MAX = 12;

type Tagged = ContractOutput<typeof TaggedDocument>;

/** Takes out of an invoice what it states, recomputes it, and tells what does not hold. */
export const invoice = agent("invoice@1", {
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
    const pages = await pagesOf(ctx, document);
    const text = pages?.join("\n") ?? null;
    const images = content.kind === "picture" ? { images: [pictureOf(ctx, file, content)] } : {};
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
async function pagesOf(ctx: Pick<Context, "envelope">, { content }: Tagged): Promise<string[] | null> {
  const reference = textOf(content);
  if (reference === null) return null;
  if (reference.characters > INVOICE_CHARACTERS_MAX)
    throw new DocumentTooLongError(
      `more than ${INVOICE_CHARACTERS_MAX} characters, the most that an invoice may have`,
    );
  return loadPages(ctx, reference);
}

type InvoiceToJudge = ReadInvoice & { readonly document: Tagged; readonly findings: readonly AuditFinding[] };

/** Without these nothing can be booked. */
const NEEDED: ReadonlySet<string> = new Set(["/totals/gross", "/metadata/currency"]);
const DATES: ReadonlySet<string> = new Set(["/metadata/issue_date", "/metadata/due_date"]);

const SAID: Readonly<Partial<Record<Reason["code"], string>>> = {
  not_in_document: "what was stated does not stand in the document",
  not_confirmed: "a second reading of the document does not say the same",
  not_stated: "the document does not state it, or no model is set to read it",
  doubtful_scan: "it was read off a picture, and nothing confirms it",
};

/** Says what can be made of an invoice. Pure. */
export function judgeInvoice({ document, findings, ...read }: InvoiceToJudge) {
  const { stated, second } = read;
  const { type, content, reasons: before } = document;
  const answered = stated.metadata.type;
  const kind = isMoneyType(type) ? type : answered;
  const fields = confirmFields(read);
  const reasons: Reason[] = [
    ...before,
    ...[...new Set([answered, second.kind])]
      .filter((other) => other !== kind)
      .map((other) => disputed(kind, other)),
    ...fields.filter((field) => isMissing(field, kind)).map(reasonOf),
    ...(content.ocr?.unread ?? []).map((page): Reason => ({
      code: "text_unread",
      path: null,
      message: `Page ${page} could not be read.`,
    })),
  ];
  const isDateUnclear = fields.some(
    ({ path, reason }) => DATES.has(path) && reason !== null && reason !== "not_stated",
  );
  const isDoubtful = findings.length > 0 || isDateUnclear;
  const kept = withoutRefused(stated, fields);
  return {
    status: reasons.length > 0 ? "for_a_person" : isDoubtful ? "doubtful" : "sound",
    reasons,
    invoice: { ...kept, metadata: { ...kept.metadata, type: kind } },
    fields,
    findings,
  } as const;
}

function disputed(kind: string, other: string): Reason {
  const message = `One reading takes it for ${kind}, another for ${other}.`;
  return { code: "type_disputed", path: "/invoice/metadata/type", message };
}

/** A field without which nobody can act, or one that was stated and does not hold. */
function isMissing({ path, reason, stated }: ConfirmedField, kind: string): boolean {
  if (reason === null || DATES.has(path)) return false;
  if (NEEDED.has(path)) return true;
  if (path === "/metadata/number") return kind !== "receipt" || stated !== null;
  return stated !== null || path.startsWith("/entities");
}

function reasonOf({ path, reason, stated }: ConfirmedField): Reason {
  const code = reason ?? "not_stated";
  // Account numbers stay out of messages.
  const isShown = stated !== null && !path.startsWith("/entities");
  const what = isShown ? ` (stated: ${String(stated).slice(0, 60)})` : "";
  return {
    code,
    path: `/invoice${path}`,
    message: `${path.split("/").at(-1)}: ${SAID[code] ?? code}${what}.`,
  };
}

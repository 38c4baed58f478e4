import type { ContractOutput } from "#shared/contract";
import { isMoneyType } from "../contract-fields.ts";
import type { Reason, TaggedDocument } from "../contracts.ts";
import type { Invoice } from "./answer.ts";
import type { AuditFinding } from "./audit-invoice.ts";
import { confirmFields, withoutRefused } from "./confirm-fields.ts";
import type { ConfirmedField, ReadInvoice } from "./confirm-fields.ts";

export interface InvoiceToJudge extends ReadInvoice {
  readonly document: ContractOutput<typeof TaggedDocument>;
  readonly findings: readonly AuditFinding[];
}

export interface JudgedInvoice {
  /** `sound`: all holds. `doubtful`: something does not. `for_a_person`: what matters cannot be told. */
  readonly status: "sound" | "doubtful" | "for_a_person";
  readonly reasons: readonly Reason[];
  readonly invoice: Invoice;
  readonly fields: readonly ConfirmedField[];
  readonly findings: readonly AuditFinding[];
}

/** Without these nothing can be booked. */
const NEEDED: ReadonlySet<string> = new Set(["/totals/gross", "/metadata/currency"]);
const DATES: ReadonlySet<string> = new Set(["/metadata/issue_date", "/metadata/due_date"]);

const SAID: Readonly<Partial<Record<Reason["code"], string>>> = {
  not_in_document: "what was stated does not stand in the document",
  not_confirmed: "a second reading of the document does not say the same",
  not_stated: "the document does not state it, or no model is set to read it",
  ambiguous: "the document can be read in several ways",
  doubtful_scan: "it was read off a picture, and nothing confirms it",
};

/** Says what can be made of an invoice. Pure. */
export function judgeInvoice({ document, findings, ...read }: InvoiceToJudge): JudgedInvoice {
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
  };
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

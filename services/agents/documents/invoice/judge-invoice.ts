import type { ContractOutput } from "#shared/contract";
import type { Reason, TaggedDocument } from "../contracts.ts";
import { MONEY_TYPES } from "../recognise/recognise-text.ts";
import type { Invoice } from "./answer.ts";
import type { AuditFinding } from "./audit-finding.ts";
import type { ConfirmedField, ConfirmedInvoice } from "./confirm-fields.ts";

export interface InvoiceToJudge {
  readonly document: ContractOutput<typeof TaggedDocument>;
  readonly stated: Invoice;
  readonly confirmed: ConfirmedInvoice;
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
const MONEY: ReadonlySet<string> = new Set(["/totals/net", "/totals/tax", "/totals/payable"]);
const DATES: ReadonlySet<string> = new Set(["/metadata/issue_date", "/metadata/due_date"]);

const SAID: Readonly<Partial<Record<Reason["code"], string>>> = {
  not_in_document: "what was stated does not stand in the document",
  not_confirmed: "the document says something else where the field has its name",
  not_stated: "the document does not state it",
  ambiguous: "the document can be read in several ways",
  doubtful_scan: "it was read off a picture, and nothing confirms it",
};

/** Says what can be made of an invoice. Its kind is what its text says, not what a model answered. Pure. */
export function judgeInvoice({ document, stated, confirmed, findings }: InvoiceToJudge): JudgedInvoice {
  const { type, content, reasons: before } = document;
  const answered = stated.metadata.type;
  const kind = type !== null && isMoneyType(type) ? type : answered;
  const { fields } = confirmed;
  const reasons: Reason[] = [
    ...before,
    ...(kind === answered ? [] : [disputed(kind, answered)]),
    ...fields.filter((field) => isMissing(field, kind)).map(reasonOf),
    ...(content.ocr?.unread ?? []).map((page): Reason => ({
      ...UNREAD,
      message: `Page ${page} could not be read.`,
    })),
  ];
  const isDateUnclear = fields.some(
    ({ path, reason }) => DATES.has(path) && reason !== null && reason !== "not_stated",
  );
  const isDoubtful = findings.length > 0 || isDateUnclear;
  return {
    status: reasons.length > 0 ? "for_a_person" : isDoubtful ? "doubtful" : "sound",
    reasons: reasons.filter(
      ({ code, path, message }, index) =>
        reasons.findIndex((one) => one.code === code && one.path === path && one.message === message) ===
        index,
    ),
    invoice: { ...confirmed.invoice, metadata: { ...confirmed.invoice.metadata, type: kind } },
    fields,
    findings,
  };
}

const UNREAD = { code: "text_unread", path: null } as const;

function isMoneyType(type: string): type is Invoice["metadata"]["type"] {
  return [...MONEY_TYPES].some((one) => one === type);
}

function disputed(kind: string, answered: string): Reason {
  const message = `By its text it is ${kind}, and by the extraction ${answered}.`;
  return { code: "type_disputed", path: "/invoice/metadata/type", message };
}

/** A field without which nobody can act, or one that was stated and does not hold. */
function isMissing({ path, value, stated }: ConfirmedField, kind: string): boolean {
  if (value !== null) return false;
  if (NEEDED.has(path)) return true;
  if (path === "/metadata/number") return kind !== "receipt" || stated !== null;
  return MONEY.has(path) && stated !== null;
}

function reasonOf({ path, reason, stated }: ConfirmedField): Reason {
  const code = reason ?? "not_stated";
  const what = stated === null ? "" : ` (stated: ${String(stated).slice(0, 60)})`;
  return {
    code,
    path: `/invoice${path}`,
    message: `${path.split("/").at(-1)}: ${SAID[code] ?? code}${what}.`,
  };
}

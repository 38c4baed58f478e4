import type { ContractOutput } from "#shared/contract";
import type { OperationsRequest, RefundsRequest } from "../contracts.ts";
import { hasPhrase } from "./phrase-score.ts";
import words from "./words.json" with { type: "json" };

type RefundReason = ContractOutput<typeof RefundsRequest>["reason"];
type OperationsKind = ContractOutput<typeof OperationsRequest>["kind"];

/** The most specific first. */
const REASONS = [
  "duplicate_charge",
  "wrong_item",
  "not_received",
  "damaged",
  "cancelled",
  "changed_mind",
] as const satisfies readonly RefundReason[];

/** The most specific first. */
const KINDS = [
  "address_change",
  "invoice",
  "account",
  "exchange",
  "delivery",
] as const satisfies readonly OperationsKind[];

export function readRefundReason(folded: string): RefundReason {
  return REASONS.find((reason) => hasPhrase(folded, words.refund_reasons[reason])) ?? "other";
}

export function readOperationsKind(folded: string): OperationsKind {
  return KINDS.find((kind) => hasPhrase(folded, words.operations_kinds[kind])) ?? "other";
}

/** Returns true when the text asks for a refund should the parcel be lost. */
export function wantsRefundElse(folded: string): boolean {
  return hasPhrase(folded, words.refund_else);
}

const SEATS =
  /(?<![\d.,])(\d{1,3}(?:[.,]\d{3})+|\d{1,6})[\s-]*(?:\p{L}+\s){0,1}(?:seats?|users?|licen[cs]es?|people|employees|accounts?|workstations?|person|mitarbeiter\w*|lizenzen|nutzer|arbeitsplätze|postes|utilisateurs|licencias|usuarios|puestos|licenze|utenti|postazioni|licencji|użytkowników|stanowisk|licenças|utilizadores|usuários|licenties|gebruikers)(?!\p{L})/giu;

/** The number of seats asked for: the first number beside a word for seats, licences before people. */
export function readSeats(text: string): number | undefined {
  const found = [...text.matchAll(SEATS)];
  const licences = found.find((match) =>
    /seat|licen|lizenz|licenz|user|nutzer|poste|usuari|utent/i.test(match[0]),
  );
  const written = (licences ?? found[0])?.[1];
  const seats = Number(written?.replaceAll(/\D/g, ""));
  return written === undefined || seats < 1 || seats > 1_000_000 ? undefined : seats;
}

const COMPANY =
  /(?<!\p{L})((?:[\p{Lu}][\p{L}&-]*\s){1,4}(?:GmbH|AG|KG|Ltd|LLC|Inc|Corp|S\.?A\.?S?|S\.?L\.?|S\.?r\.?l|S\.?p\.?A|sp\. z o\.o|B\.?V|Lda)\.?)(?![\p{L}\d])|(?:at|bei|chez|from)\s((?:[\p{Lu}][\p{L}&-]*\s?){1,3})/u;
const FREE_MAIL =
  /@(?:gmail|yahoo|hotmail|outlook|icloud|gmx|web|mail|proton|libero|orange|posta|poczta|correo|correio|courrier|post|person)\./i;

/** A company's name in the text, else the sender's domain where that is no free mail service. */
export function readCompany(text: string, from: string): string | undefined {
  const match = COMPANY.exec(text);
  const named = (match?.[1] ?? match?.[2])?.trim();
  if (named !== undefined && named.length >= 2) return named.slice(0, 200);
  if (FREE_MAIL.test(from)) return undefined;
  return /@([a-z0-9-]{2,60})\./i.exec(from)?.[1];
}

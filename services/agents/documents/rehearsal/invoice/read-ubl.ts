import type { Invoice } from "../../invoice/answer.ts";
import { relate } from "./read-parties.ts";

type Entity = Invoice["entities"][number];

/** Whether a text is an invoice in the Universal Business Language. */
export function isUbl(text: string): boolean {
  return /<(?:[\w-]+:)?(?:Invoice|CreditNote)\b[^>]*urn:oasis:names:specification:ubl/.test(text);
}

/** Reads a UBL invoice by its elements. No entity is expanded but the five that XML has. */
export function readUbl(text: string): Invoice {
  const isCredit = /<(?:[\w-]+:)?CreditNote\b/.test(text);
  const [head = ""] = text.split(/<(?:[\w-]+:)?AccountingSupplierParty\b/, 1);
  const order = inner(inner(head, "OrderReference") ?? "", "ID");
  const totals = inner(text, "LegalMonetaryTotal") ?? "";
  const taxTotal = inner(text, "TaxTotal") ?? "";
  const entities = entitiesOf(text, order);
  const net = money(totals, "TaxExclusiveAmount") ?? money(totals, "LineExtensionAmount");
  return {
    entities,
    relationships: relate(entities),
    metadata: {
      type: isCredit ? "credit_note" : "invoice",
      number: inner(head, "ID"),
      issue_date: inner(head, "IssueDate"),
      due_date: inner(head, "DueDate") ?? inner(inner(text, "PaymentMeans") ?? "", "PaymentDueDate"),
      currency: inner(head, "DocumentCurrencyCode") ?? "EUR",
      language: languageOf(text),
      order_reference: order,
    },
    lines: all(text, isCredit ? "CreditNoteLine" : "InvoiceLine").map(lineOf),
    taxes: all(taxTotal, "TaxSubtotal").map((one) => ({
      rate: money(one, "Percent") ?? 0,
      base: money(one, "TaxableAmount"),
      amount: money(one, "TaxAmount") ?? 0,
    })),
    totals: {
      net,
      tax: money(taxTotal.replace(/<(?:[\w-]+:)?TaxSubtotal\b[^]*/, ""), "TaxAmount"),
      gross: money(totals, "PayableAmount") ?? money(totals, "TaxInclusiveAmount") ?? 0,
    },
    lines_are_gross: false,
  };
}

function lineOf(line: string): Invoice["lines"][number] {
  const item = inner(line, "Item") ?? "";
  const amount = money(line, "LineExtensionAmount") ?? 0;
  const price = inner(line, "Price") ?? "";
  return {
    description: (inner(item, "Name") ?? inner(item, "Description") ?? "?").slice(0, 300),
    quantity: money(line, "InvoicedQuantity") ?? money(line, "CreditedQuantity") ?? 1,
    unit_price: (money(price, "PriceAmount") ?? amount) / (money(price, "BaseQuantity") ?? 1),
    amount,
    tax_rate: money(item, "Percent"),
  };
}

function entitiesOf(text: string, order: string | null): Entity[] {
  const seller = partyOf(inner(text, "AccountingSupplierParty") ?? "", "seller");
  const buyer = partyOf(inner(text, "AccountingCustomerParty") ?? "", "buyer");
  const account = inner(text, "PayeeFinancialAccount") ?? "";
  const iban = inner(account, "ID")?.replaceAll(/\s/g, "") ?? null;
  const nothing = { vat_id: null, iban: null, address: null } as const;
  return [
    seller,
    buyer,
    ...(iban === null
      ? []
      : [
          {
            ...nothing,
            id: "account",
            kind: "account" as const,
            name: inner(account, "Name") ?? "account",
            iban,
          },
        ]),
    ...(order === null ? [] : [{ ...nothing, id: "order", kind: "order" as const, name: order }]),
  ];
}

function partyOf(party: string, kind: "seller" | "buyer"): Entity {
  const street = inner(party, "StreetName");
  const city = [inner(party, "PostalZone"), inner(party, "CityName")]
    .filter((part) => part !== null)
    .join(" ");
  const address = [street, city === "" ? null : city].filter((part) => part !== null).join(", ");
  return {
    id: kind,
    kind,
    name: inner(party, "RegistrationName") ?? inner(inner(party, "PartyName") ?? "", "Name") ?? "?",
    vat_id: inner(inner(party, "PartyTaxScheme") ?? "", "CompanyID"),
    iban: null,
    address: address === "" ? null : address,
  };
}

function languageOf(text: string): string {
  return /languageID="([a-z]{2})/i.exec(text)?.[1]?.toLowerCase() ?? "en";
}

function money(within: string, name: string): number | null {
  const value = Number(inner(within, name) ?? "x");
  return Number.isFinite(value) ? value : null;
}

/** What the first element of a name holds; null where there is none or it is empty. */
function inner(within: string, name: string): string | null {
  return all(within, name)[0] ?? null;
}

/** What each element of a name holds, in order; elements of one name do not hold each other in UBL. */
function all(within: string, name: string): string[] {
  const open = new RegExp(`<(?:[\\w-]+:)?${name}(?:\\s[^>]*)?>`, "g");
  const close = new RegExp(`</(?:[\\w-]+:)?${name}\\s*>`, "g");
  const found: string[] = [];
  for (let begin = open.exec(within); begin !== null; begin = open.exec(within)) {
    close.lastIndex = open.lastIndex;
    const end = close.exec(within);
    if (end === null) break;
    found.push(unescape(within.slice(open.lastIndex, end.index).trim()));
    open.lastIndex = close.lastIndex;
  }
  return found.filter((text) => text !== "");
}

const ESCAPES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function unescape(text: string): string {
  if (text.includes("<")) return text;
  return text.replaceAll(/&(lt|gt|amp|quot|apos);/g, (whole, name: string) => ESCAPES[name] ?? whole);
}

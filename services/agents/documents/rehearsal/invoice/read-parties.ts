import type { Invoice } from "../../invoice/answer.ts";
import { lengthOfIban } from "../../invoice/checksums.ts";
import { LABELS } from "./labels.ts";

type Entity = Invoice["entities"][number];

const BLOCK_ROWS_MAX = 6;
const NOTHING = { vat_id: null, iban: null, address: null } as const;

/** Who and what an invoice names, as entities. */
export function readEntities(text: string, orderReference: string | null): Entity[] {
  const rows = text.split("\n");
  const buyer = readBlock(rows, LABELS.buyer);
  const recipient = readBlock(rows, LABELS.recipient);
  const seller = readBlock(rows, LABELS.seller) ?? letterhead(rows);
  const { ofSeller, ofBuyer } = readVatIds(text, buyer?.rows ?? []);
  const iban = LABELS.iban.exec(text)?.[1]?.replaceAll(/\s/g, "").slice(0, 34) ?? null;
  return [
    {
      ...NOTHING,
      id: "seller",
      kind: "seller",
      name: seller?.name ?? "?",
      address: seller?.address ?? null,
      vat_id: ofSeller,
    },
    ...(buyer === null
      ? []
      : [
          {
            ...NOTHING,
            id: "buyer",
            kind: "buyer" as const,
            name: buyer.name,
            address: buyer.address,
            vat_id: ofBuyer,
          },
        ]),
    ...(recipient === null
      ? []
      : [
          {
            ...NOTHING,
            id: "recipient",
            kind: "recipient" as const,
            name: recipient.name,
            address: recipient.address,
          },
        ]),
    ...(iban === null
      ? []
      : [{ ...NOTHING, id: "account", kind: "account" as const, name: bankOf(text), iban: accountIn(iban) }]),
    ...(orderReference === null
      ? []
      : [{ ...NOTHING, id: "order", kind: "order" as const, name: orderReference }]),
  ];
}

/** How the entities that are there belong together. */
export function relate(entities: readonly Entity[]): Invoice["relationships"] {
  const has = new Set(entities.map(({ id }) => id));
  const all: Invoice["relationships"] = [
    { from: "seller", relation: "bills", to: "buyer" },
    { from: "seller", relation: "is_paid_to", to: "account" },
    { from: "seller", relation: "delivers_to", to: "recipient" },
    { from: "seller", relation: "refers_to", to: "order" },
  ];
  return all.filter(({ from, to }) => has.has(from) && has.has(to));
}

interface Block {
  readonly name: string;
  readonly address: string | null;
  readonly rows: readonly string[];
}

/** A name behind or below a label, and its address below that, up to an empty row or another label. */
function readBlock(rows: readonly string[], label: RegExp): Block | null {
  const at = rows.findIndex((row) => label.test(row));
  if (at === -1) return null;
  const beside = columnBeside(label.exec(rows[at] ?? "")?.[1] ?? "");
  const below: string[] = [];
  for (const row of rows.slice(at + 1, at + 1 + BLOCK_ROWS_MAX)) {
    const columns = row.trim().split(/\s{3,}/);
    const [left = ""] = columns;
    // Another label, or a row of a table: the block is over.
    if (left === "" || /^[^:]{2,30}:(?:\s|$)/.test(left) || columns.length > 3) break;
    below.push(left);
  }
  const all = [...(beside === "" ? [] : [beside]), ...below];
  const [name, ...address] = all;
  if (name === undefined) return null;
  return {
    name: name.slice(0, 300),
    address: address.length === 0 ? null : address.join(", ").slice(0, 300),
    rows: rows.slice(at, at + 1 + below.length),
  };
}

/** What stands right behind a label; what stands in the next column is another matter. */
function columnBeside(behind: string): string {
  return /^\s{3,}/.test(behind) ? "" : (behind.trim().split(/\s{3,}/)[0] ?? "");
}

const TITLE = /^\s*(?:invoice|rechnung|facture|credit note|gutschrift|receipt|quittung|tax invoice)\b/i;

/** The first thing that is written, if it is no title: who sends it. */
function letterhead(rows: readonly string[]): Block | null {
  const at = rows.findIndex(
    (row) => /\p{L}{2}/u.test(row) && !TITLE.test(row) && !/^[^:]{2,30}:\s/.test(row),
  );
  const row = rows[at];
  if (row === undefined) return null;
  const name = row.trim().split(/\s{3,}/)[0] ?? "";
  const next = rows[at + 1]?.trim() ?? "";
  const address =
    /\d/.test(next) && /\p{L}/u.test(next) && !/:/.test(next) ? next.split(/\s{3,}/)[0] : undefined;
  return { name: name.slice(0, 300), address: address?.slice(0, 300) ?? null, rows: [row] };
}

/** The number in the buyer's block, or named as the customer's, is the buyer's. */
function readVatIds(
  text: string,
  buyerRows: readonly string[],
): { readonly ofSeller: string | null; readonly ofBuyer: string | null } {
  const block = buyerRows.join("\n");
  const found = [...text.matchAll(LABELS.vat)].map((match) => ({
    number: (match[1] ?? "").replaceAll(/[\s.-]/g, "").replace(/(?<=\d)[A-Z]{3,}$/, ""),
    isBuyers:
      block.includes(match[0]) ||
      /(?:customer|buyer|ihre|kunde\w*|your)\W*$/i.test(text.slice(0, match.index)),
  }));
  return {
    ofSeller: found.find(({ isBuyers }) => !isBuyers)?.number ?? null,
    ofBuyer: found.find(({ isBuyers }) => isBuyers)?.number ?? null,
  };
}

/** A bank code or a word may stand right behind the number: its country says how long it is. */
function accountIn(found: string): string {
  return found.slice(0, lengthOfIban(found) ?? found.length);
}

function bankOf(text: string): string {
  return (
    /^\s*(?:bank|kreditinstitut|banque)\s*:\s*(.+)$/im
      .exec(text)?.[1]
      ?.split(/\s{3,}|,/)[0]
      ?.trim() ?? "account"
  );
}

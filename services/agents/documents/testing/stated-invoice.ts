import type { Invoice } from "../invoice/answer.ts";

/** Returns an invoice of a seller to be paid to an account, with no lines, and of its totals what is given. */
export function statedInvoice(said: {
  readonly iban: string | null;
  readonly metadata: Pick<Invoice["metadata"], "number" | "issue_date" | "currency" | "language">;
  readonly totals: Pick<Invoice["totals"], "gross"> & Partial<Invoice["totals"]>;
}): Invoice {
  const party = { name: "Varvet", vat_id: null, address: null } as const;
  return {
    entities: [
      { id: "seller", kind: "seller", iban: null, ...party },
      { id: "account", kind: "account", iban: said.iban, ...party },
    ],
    relationships: [{ from: "seller", relation: "is_paid_to", to: "account" }],
    metadata: { type: "invoice", due_date: null, order_reference: null, ...said.metadata },
    lines: [],
    taxes: [],
    totals: { net: null, tax: null, payable: null, ...said.totals },
    lines_are_gross: false,
  };
}

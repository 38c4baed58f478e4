import { recorded } from "#shared/runtime/tools";

const NO_MODEL = "No model is set: this was not read.";

/** Answers of models in a rehearsal: the recorded answers of the shipped files, else that they cannot tell. */
export const standIns = recorded(new URL("recordings/documents.jsonl", import.meta.url), {
  tag: () => ({ tags: ["unclear"], description: NO_MODEL }),
  extract: () => ({
    entities: [{ id: "seller", kind: "seller", name: "?", vat_id: null, iban: null, address: null }],
    relationships: [],
    metadata: {
      type: "invoice",
      number: null,
      issue_date: null,
      due_date: null,
      currency: null,
      language: "en",
      order_reference: null,
    },
    lines: [],
    taxes: [],
    totals: { net: null, tax: null, gross: null, payable: null },
    lines_are_gross: false,
  }),
  reread: () => ({
    kind: "other",
    amount: null,
    account: null,
    currency: null,
    issue_date: null,
    due_date: null,
  }),
  answer: () => ({ is_shown: false, answer: NO_MODEL }),
  summarise: () => ({ summary: NO_MODEL, key_points: [] }),
  merge: () => ({ summary: NO_MODEL, best: [] }),
});

import { recorded } from "#shared/runtime/tools";

const NO_MODEL = "No model is set: a rehearsal has answers to the samples of this team alone.";

/** Recorded answers of every step, for a rehearsal; for another input what the contract has for "cannot tell". */
export const standIns = recorded(new URL("recordings/editorial.jsonl", import.meta.url), {
  wish: ({ asked_for: asked }: { readonly asked_for: readonly string[] }) => ({
    text_is: "cannot_tell",
    not_done: [],
    criteria: asked.length > 0 ? asked : ["structure"],
    because: NO_MODEL,
  }),
  analyse: () => ({ findings: [] }),
  edit: () => ({ line_edits: [], editorial_letter: NO_MODEL }),
  plan: () => ({
    summary: NO_MODEL,
    requirements: [],
    questions: [{ about: "the project", question: NO_MODEL }],
    not_done: [],
  }),
  confirm: ({ values }: { readonly values: readonly { readonly value_id: string }[] }) => ({
    values: values.map(({ value_id }) => ({ value_id, is_stated: false, quote: "" })),
    left_out: [],
  }),
  design: ({ requirements }: { readonly requirements: readonly { readonly id: string }[] }) => ({
    designs: [],
    questions: requirements.map(({ id }) => ({ about: id, question: NO_MODEL })),
  }),
});

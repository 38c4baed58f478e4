import type { StandIn } from "#shared/runtime";
import { recorded } from "#shared/runtime/tools";
import type { Plan } from "./contracts.ts";

const NO_MODEL = "No model is set: a rehearsal has recorded answers for the shipped samples alone.";

const PLAN: Plan = {
  goal: NO_MODEL,
  search_terms: [],
  steps: [
    { id: 1, action: "reproduce", aim: "Run the checkout's tests." },
    { id: 2, action: "verify", aim: "Report what is red." },
  ],
};

const answers = recorded(new URL("recordings/samples.jsonl", import.meta.url), {
  plan: () => PLAN,
  tests: () => ({ tests: [], open: NO_MODEL }),
  "root-cause": ({ sources }: { readonly sources?: readonly { readonly path: string }[] }) => ({
    cause: NO_MODEL,
    suspects: [{ path: sources?.[0]?.path ?? "README.md", line: 1, because: NO_MODEL }],
  }),
  fixes: () => ({ fixes: [] }),
  evaluate: () => ({ evaluations: [] }),
});

/** Recorded answers for a rehearsal, found by report and tried diffs: test messages differ between Node versions. */
export const RECORDED = Object.fromEntries(
  Object.entries(answers).map(([step, standIn]) => [step, byReport(standIn)]),
  // The same steps.
) as typeof answers;

interface Asked {
  readonly issue: string;
  readonly tried?: readonly { readonly digest: string }[];
}

function byReport(standIn: StandIn): StandIn {
  return ({ issue, tried = [] }: Asked, random) =>
    // Every step of this team is told the report.
    standIn({ issue, tried: tried.map(({ digest }) => digest) } as never, random);
}

import { rateHandoffs } from "#shared/feedback";
import { drawHandoffs, listHandoffs } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import type { Store } from "#shared/store";
import type { HANDOFFS } from "./handoffs.ts";
import type { AnswerOf } from "./operation.ts";

type Matrix = AnswerOf<(typeof HANDOFFS)["listHandoffs"]>;

/** The matrix of handoffs of teams, with what became of them. */
export async function viewHandoffs(
  { handoffRates }: Pick<Store, "handoffRates">,
  asked: { readonly teams: readonly Team[]; readonly span: Matrix["span"] },
): Promise<Matrix> {
  const { teams, span } = asked;
  const declared = listHandoffs(teams);
  return {
    span,
    teams: teams.map(({ name, entry, agents }) => ({
      team: name,
      entry: entry.name,
      agents: [...agents.keys()],
    })),
    handoffs: rateHandoffs(declared, await handoffRates.read(span)),
    mermaid: drawHandoffs(declared),
  };
}

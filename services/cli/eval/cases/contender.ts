import type { Team, Variant } from "#shared/runtime";
import { isWithin } from "./read-pointer.ts";
import type { ExpectedValue, LabelledCase } from "./labelled-case.ts";

/** One of the ways that are measured: the team itself, or a variant of it. */
export interface Contender {
  readonly name: string;
  readonly description: string;
  readonly team: Team;
  /** What it is judged by; null: by everything that a case expects. */
  readonly judged: readonly string[] | null;
  /** The contender that it is compared with; null for the team itself. */
  readonly against: string | null;
}

/** The name of the team itself among its variants. */
export const AS_IT_IS = "as-it-is";

export function contendersOf(team: Team, variants: readonly Variant[]): Contender[] {
  const description = team.options.description ?? "The team as it is.";
  return [
    { name: AS_IT_IS, description, team, judged: null, against: null },
    ...variants.map(({ judged = null, against = AS_IT_IS, ...variant }) => ({ ...variant, judged, against })),
  ];
}

/** Returns the expected values of a case that all these contenders are judged by. */
export function expectedOf(
  { expect }: LabelledCase,
  contenders: readonly Pick<Contender, "judged">[],
): ReadonlyMap<string, ExpectedValue> {
  return new Map(
    [...expect].filter(([pointer]) =>
      contenders.every(({ judged }) => judged === null || judged.some((root) => isWithin(pointer, root))),
    ),
  );
}

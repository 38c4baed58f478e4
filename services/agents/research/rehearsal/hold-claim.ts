import type { StandIn } from "#shared/runtime";
import { STANCES_MAX } from "../limits.ts";
import type { HoldingInput } from "../researcher/answer.ts";
import { compareSentences } from "../researcher/compare-figures.ts";

/** Takes what figures, days, names and denials show; nothing where words alone do not show it. */
export const holdClaim: StandIn = ({ claim, passages }: HoldingInput) => ({
  stances: compareSentences(claim, passages)
    .map(({ by: _by, ...stance }) => stance)
    .slice(0, STANCES_MAX),
});

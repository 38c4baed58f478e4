import type { StandIn } from "#shared/runtime";
import { STANCES_MAX } from "../limits.ts";
import type { HoldingInput } from "../researcher/answer.ts";
import { compareSentences } from "../researcher/compare-figures.ts";
import { lookFurther } from "./look-further.ts";

/**
 * Takes what figures, days, names and denials show; nothing where words alone do not show it. Where the given passages
 * say nothing to the claim, it searches with other words first.
 */
export const holdClaim: StandIn = ({ claim, passages }: HoldingInput, _random, _images, tools) => {
  const given = compareSentences(claim, passages);
  const read = given.length > 0 ? passages : lookFurther(claim.quote, passages, tools);
  if (!Array.isArray(read)) return read;
  return {
    stances: compareSentences(claim, read)
      .map(({ by: _by, ...stance }) => stance)
      .slice(0, STANCES_MAX),
  };
};

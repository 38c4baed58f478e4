import { scoreLead } from "../rehearsal/sales.ts";
import { QUALIFYING_SCORE } from "../sales/agent.ts";
import type { ScoreInput } from "../sales/answer.ts";

/** A lead as far as it was read. */
export type Lead = Pick<ScoreInput, "text"> & {
  readonly [Name in keyof ScoreInput]?: ScoreInput[Name] | undefined;
};

/** Returns whether the team's own stand-in would let a lead go on. */
export function isQualified({ company = null, seats = null, budget = null, text }: Lead): boolean {
  return scoreLead({ company, seats, budget, text }).score > QUALIFYING_SCORE;
}

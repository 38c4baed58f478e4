import type { Contract, ContractOutput } from "#shared/contract";
import type { Context, ModelTier } from "#shared/runtime";
import { VoteUndecidedError } from "../errors.ts";
import { askVoters, votersOf } from "./ask-voters.ts";
import type { Question } from "./ask-voters.ts";
import { instructionsOf, weigh } from "./judge.ts";
import type { Rubric } from "./judge.ts";

export interface BestOfOptions<C extends Contract> extends Question<C> {
  /** Criteria and their weights. */
  readonly rubric: Rubric;
  /** The model call that scores the candidates (LLM as judge). */
  readonly judge: {
    /** The judge's task, without the criteria, which are added. Holds no data. */
    readonly instructions: string;
    /** Default: the agent's own tier. */
    readonly tier?: ModelTier;
    /**
     * Number of judges. Each sees the candidates in another order, because position biases a judge. At least 1.
     * Default 1.
     */
    readonly judges?: number;
  };
}

export interface Best<C extends Contract> {
  readonly answer: ContractOutput<C>;
  /** Index of the voter, from 0. */
  readonly voter: number;
  /** Mean score over all judges by voter, 0 to 10; null for an abstention. */
  readonly scores: readonly (number | null)[];
}

/**
 * Returns the best of several answers, scored by a judge with a rubric; the first of equals. All calls are recorded
 * steps: the judge's are `<step>-judge-1` and so on. A single answer is not judged.
 * @throws {VoteUndecidedError} No voter gave a usable answer.
 */
export async function bestOf<C extends Contract>(
  ctx: Pick<Context, "model" | "log">,
  options: BestOfOptions<C>,
): Promise<Best<C>> {
  const { step, input, rubric, judge } = options;
  const voters = votersOf(options).length;
  const ballots = await askVoters(ctx, options, { from: 0, to: voters });
  const candidates = ballots.flatMap((answer, voter) => (answer === null ? [] : [{ answer, voter }]));
  const [only, ...others] = candidates;
  if (only === undefined) throw new VoteUndecidedError(step, voters);
  if (others.length === 0) return { ...only, scores: ballots.map((answer) => (answer === null ? null : 0)) };
  const instructions = instructionsOf(judge.instructions, rubric);
  const judged = await Promise.all(
    Array.from({ length: Math.max(1, judge.judges ?? 1) }, async (_, round) => {
      const shown = rotate(candidates.length, round);
      const shownCandidates = shown.map((which, place) => ({
        candidate: place + 1,
        content: candidates[which]?.answer,
      }));
      const scores = await ctx.model(`${step}-judge-${round + 1}`, {
        instructions,
        input: { task: input, candidates: shownCandidates },
        answers: rubric.contract,
        temperature: 0,
        ...(judge.tier === undefined ? {} : { tier: judge.tier }),
      });
      return weigh(rubric, scores, shown);
    }),
  );
  const means = candidates.map(
    (_, which) => judged.reduce((sum, scores) => sum + (scores[which] ?? 0), 0) / judged.length,
  );
  const best = candidates[means.indexOf(Math.max(...means))] ?? only;
  const scores = ballots.map((_, voter) => {
    const which = candidates.findIndex((candidate) => candidate.voter === voter);
    return which === -1 ? null : (means[which] ?? 0);
  });
  return { ...best, scores };
}

/** Rotates by one position each pair of rounds, and reverses every other round. */
function rotate(length: number, round: number): readonly number[] {
  const start = Math.floor(round / 2);
  const turned = Array.from({ length }, (_, place) => (place + start) % length);
  return round % 2 === 1 ? turned.toReversed() : turned;
}

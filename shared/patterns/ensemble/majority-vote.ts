import type { Contract, ContractOutput } from "#shared/contract";
import type { Context } from "#shared/runtime";
import { VoteTiedError, VoteUndecidedError } from "../errors.ts";
import { askVoters, votersOf } from "./ask-voters.ts";
import type { Ballot, Question } from "./ask-voters.ts";
import { normaliseVote } from "./normalise-vote.ts";
import { isDecided, tally, votesToDecide } from "./tally.ts";

export interface MajorityVoteOptions<C extends Contract> extends Question<C> {
  /** What an answer votes for. */
  readonly vote: (answer: ContractOutput<C>) => string | number | boolean;
  /** When two votes are one. Default: when they differ in case, space, punctuation and forms of numbers alone. */
  readonly normalise?: (vote: string | number | boolean) => string;
  /**
   * Of labels with equally many votes: `first` takes the one that the first voters named, `fail` none, a function the
   * one it returns. Default `fail`.
   */
  readonly onTie?: "first" | "fail" | ((labels: readonly string[]) => string);
  /** True: the winner must have more than half of all voters; fewer is a tie of all labels. Default false. */
  readonly needsMajority?: boolean;
  /** False asks every voter, whatever is decided. Default true. */
  readonly stopsEarly?: boolean;
}

export interface Verdict<C extends Contract> {
  /** The normalised label that won. */
  readonly label: string;
  /** The first answer that voted for it. */
  readonly answer: ContractOutput<C>;
  /** One for each voter that was asked, in order; null abstained. */
  readonly votes: readonly (string | null)[];
  /** Voters in all, asked or not. */
  readonly voters: number;
  readonly isTied: boolean;
}

/**
 * Puts one question to several voters and takes what most of them say. Asks no more of them at a time than could decide
 * it, and stops when the rest cannot change it. Every answer is a recorded step: after a crash the vote goes on with
 * those that were not asked.
 *
 * @throws {VoteTiedError} Nobody has most votes, or, where it is asked for, more than half.
 * @throws {VoteUndecidedError} No voter gave an answer of use.
 * @example
 * majorityVote(ctx, { step: "severity", instructions, input, answers: Severity, voters: 5, vote: (a) => a.severity })
 */
export async function majorityVote<C extends Contract>(
  ctx: Pick<Context, "model" | "log">,
  options: MajorityVoteOptions<C>,
): Promise<Verdict<C>> {
  const voters = votersOf(options).length;
  const { normalise = normaliseVote, stopsEarly = true, vote } = options;
  const ballots: Ballot<C>[] = [];
  const votes: (string | null)[] = [];
  while (ballots.length < voters) {
    const left = voters - ballots.length;
    const counted = tally(votes);
    if (stopsEarly && isOver(options, { votes, voters })) break;
    const more = stopsEarly ? votesToDecide(counted, left) : left;
    const range = { from: ballots.length, to: ballots.length + more };
    const answers = await askVoters(ctx, options, range);
    ballots.push(...answers);
    votes.push(...answers.map((answer) => (answer === null ? null : normalise(vote(answer)))));
  }
  const chosen = choose(options, { votes, voters });
  const answer = ballots[votes.indexOf(chosen.label)];
  // A label was voted for by the ballot in its place.
  if (answer === null || answer === undefined) throw new VoteUndecidedError(options.step, voters);
  return { ...chosen, answer, votes, voters };
}

interface Cast {
  readonly votes: readonly (string | null)[];
  readonly voters: number;
}

function isOver<C extends Contract>(
  { needsMajority = false }: MajorityVoteOptions<C>,
  { votes, voters }: Cast,
): boolean {
  const counted = tally(votes);
  const left = voters - votes.length;
  if (!needsMajority) return isDecided(counted, left);
  // Won, or no more to be won by anybody.
  return counted.most * 2 > voters || (counted.most + left) * 2 <= voters;
}

function choose<C extends Contract>(
  { step, onTie = "fail", needsMajority = false }: MajorityVoteOptions<C>,
  { votes, voters }: Cast,
): { readonly label: string; readonly isTied: boolean } {
  const { leaders, counts, most } = tally(votes);
  const [first] = leaders;
  if (first === undefined) throw new VoteUndecidedError(step, voters);
  const hasEnough = !needsMajority || most * 2 > voters;
  if (leaders.length === 1 && hasEnough) return { label: first, isTied: false };
  if (onTie === "first") return { label: first, isTied: true };
  const labels = hasEnough ? leaders : [...counts.keys()];
  const label = onTie === "fail" ? null : onTie(labels);
  if (label === null || !counts.has(label))
    throw new VoteTiedError(step, { labels: labels.length, votes: most });
  return { label, isTied: true };
}

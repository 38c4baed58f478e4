import type { Contract, ContractOutput } from "#shared/contract";
import type { Context } from "#shared/runtime";
import { VoteTiedError, VoteUndecidedError } from "../errors.ts";
import { askVoters, votersOf } from "./ask-voters.ts";
import type { Ballot, Question } from "./ask-voters.ts";
import { normaliseVote } from "./normalise-vote.ts";
import { isDecided, tally, votesToDecide } from "./tally.ts";

export interface MajorityVoteOptions<C extends Contract> extends Question<C> {
  /** Returns the vote of an answer. */
  readonly vote: (answer: ContractOutput<C>) => string | number | boolean;
  /**
   * Normalises a vote; equal labels are one vote. Default: ignores case, spaces, punctuation and the form of numbers.
   */
  readonly normalise?: (vote: string | number | boolean) => string;
  /**
   * Resolves a tie: `first` takes the label that was voted for first, `fail` throws, a function returns the winner.
   * Default `fail`.
   */
  readonly onTie?: "first" | "fail" | ((labels: readonly string[]) => string);
  /** Requires more than half of all voters; fewer is a tie of all labels. Default false. */
  readonly needsMajority?: boolean;
  /** Stops asking when the vote is decided. Default true. */
  readonly stopsEarly?: boolean;
}

export interface Verdict<C extends Contract> {
  /** The winning label, normalised. */
  readonly label: string;
  /** The first answer with that label. */
  readonly answer: ContractOutput<C>;
  /** Labels by voter, in order; null for an abstention. */
  readonly votes: readonly (string | null)[];
  /** Number of voters, including those not asked. */
  readonly voters: number;
  readonly isTied: boolean;
}

/**
 * Asks several voters one question and returns the majority's answer. Asks only as many at a time as could decide the
 * vote, and stops when it is decided. Every answer is a recorded step, so a crash repeats no call.
 *
 * @throws {VoteTiedError} A tie, or with `needsMajority` no label with more than half of the votes.
 * @throws {VoteUndecidedError} No voter gave a usable answer.
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
  // `votes` and `ballots` share their indexes.
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
  // Decided, or a majority is out of reach.
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

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
 * @throws {VoteTiedError} A tie.
 * @throws {VoteUndecidedError} No voter gave a usable answer.
 * @example
 * majorityVote(ctx, { step: "severity", instructions, input, answers: Severity, voters: 5, vote: (a) => a.severity })
 */
export async function majorityVote<C extends Contract>(
  ctx: Pick<Context, "model" | "log">,
  options: MajorityVoteOptions<C>,
): Promise<Verdict<C>> {
  const voters = votersOf(options).length;
  const { normalise = normaliseVote, vote } = options;
  const ballots: Ballot<C>[] = [];
  const votes: (string | null)[] = [];
  while (ballots.length < voters) {
    const left = voters - ballots.length;
    const counted = tally(votes);
    if (isDecided(counted, left)) break;
    const range = { from: ballots.length, to: ballots.length + votesToDecide(counted, left) };
    const answers = await askVoters(ctx, options, range);
    ballots.push(...answers);
    votes.push(...answers.map((answer) => (answer === null ? null : normalise(vote(answer)))));
  }
  const { leaders, most } = tally(votes);
  const [first] = leaders;
  if (first === undefined) throw new VoteUndecidedError(options.step, voters);
  const isTied = leaders.length > 1;
  const label = isTied ? resolveTie(options.onTie, leaders) : first;
  const answer = label === null ? undefined : ballots[votes.indexOf(label)];
  if (label === null || answer === null || answer === undefined)
    throw new VoteTiedError(options.step, { labels: leaders.length, votes: most });
  return { label, isTied, answer, votes, voters };
}

function resolveTie(
  onTie: MajorityVoteOptions<Contract>["onTie"],
  leaders: readonly string[],
): string | null {
  if (onTie === "first") return leaders[0] ?? null;
  return typeof onTie === "function" ? onTie(leaders) : null;
}

import type { Contract, ContractOutput } from "#shared/contract";
import type { Context } from "#shared/runtime";
import { VoteTiedError, VoteUndecidedError } from "../errors.ts";
import { askVoters, votersOf } from "./synthesise.ts";
import type { Ballot, Question } from "./synthesise.ts";

export interface MajorityVoteOptions<C extends Contract> extends Question<C> {
  /** Returns the vote of an answer. */
  readonly vote: (answer: ContractOutput<C>) => string | number | boolean;
  /** Normalises a vote; equal labels are one. Default: ignores case, spaces, punctuation and the form of numbers. */
  readonly normalise?: (vote: string | number | boolean) => string;
  /** Resolves a tie: `first` takes the label voted for first, `fail` throws, a function decides. Default `fail`. */
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

/** The count of votes so far. Labels in the order of their first vote. */
interface Tally {
  readonly counts: ReadonlyMap<string, number>;
  /** The labels with most votes: one, several in a tie, none without votes. */
  readonly leaders: readonly string[];
  /** Number of votes of each leader. */
  readonly most: number;
  /** Number of votes of the runner-up; of a leader in a tie. */
  readonly second: number;
}

/** Counts labels; null is an abstention. Pure. */
export function tally(labels: readonly (string | null)[]): Tally {
  const counts = new Map<string, number>();
  for (const label of labels) {
    if (label !== null) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  const leaders = [...counts].filter(([, count]) => count === most).map(([label]) => label);
  const rest = [...counts.values()].toSorted((a, b) => b - a);
  return { counts, leaders, most, second: rest[1] ?? 0 };
}

/** Returns true when the remaining votes cannot change the single leader. */
export function isDecided({ most, second, leaders }: Tally, left: number): boolean {
  return leaders.length === 1 && most > second + left;
}

/** The least number of further votes that could decide. @param left - Remaining voters. At least 1. */
export function votesToDecide({ most, second }: Tally, left: number): number {
  return Math.min(left, Math.max(1, Math.floor((second + left - most) / 2) + 1));
}

/** Punctuation without a meaning of its own. Meaningful signs, as in `C++` or `5 %`, and those of numbers stay. */
const PUNCTUATION = /[\s.,;:!?'"`´‘’“”„«»()[\]{}…*_~|/\\\-‐‑‒–—]+(?!\d)/u;
const AROUND = /^[\s"'“‘«*_`(]+|[\s"'”’»*_`).!,;:]+$/gu;
const GROUPED = /^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/;

/** Digits of numbers that a double tells apart. */
const EXACT_CHARS_MAX = 15;

/** Normalises a vote for comparison: case, punctuation, numbers (`1,000` is `1e3`). Text without words stays. */
export function normaliseVote(vote: string | number | boolean): string {
  const text = String(vote).normalize("NFKC").toLowerCase().trim();
  const bare = text.replaceAll(AROUND, "");
  const plain = GROUPED.test(bare) ? bare.replaceAll(",", "") : bare;
  if (NUMBER.test(plain) && plain.length <= EXACT_CHARS_MAX) return String(Number(plain) + 0);
  const words = bare.split(PUNCTUATION).filter((word) => word !== "");
  return words.length === 0 ? text : words.join(" ");
}

import { levelsExtractively, summariseExtractively } from "./summarise-extractively.ts";
import { textOf } from "./turns.ts";
import type { Turn } from "./turns.ts";

/** What the rolling summariser is given. */
export interface SummaryInput {
  readonly summary_so_far: string;
  readonly turns: readonly Turn[];
  readonly tokens_max: number;
}

/** What the hierarchical summariser is given: turns, or what became of them. */
export interface LevelsInput {
  readonly turns: readonly Turn[];
}

/** Steps that one compression asks a model in at most; it is also the bound of a conversation's length. */
export const STEPS_MAX = 64;

type SummaryStandIn = (input: SummaryInput & LevelsInput) => unknown;

/**
 * The stand-ins of a compression for `standIns` of the agent that compresses: they read the very turns and choose
 * their own sentences.
 *
 * @param step - As given to `compress`. Default `compress`.
 * @example agent("intake@1", { standIns: { ...compressionStandIns() }, answers: [...COMPRESSION_ANSWERS], … })
 */
export function compressionStandIns(step = "compress"): Readonly<Record<string, SummaryStandIn>> {
  const numbers = Array.from({ length: STEPS_MAX }, (_, index) => index + 1);
  return Object.fromEntries(
    numbers.flatMap((n): [string, SummaryStandIn][] => [
      [
        `${step}/summary/${n}`,
        ({ summary_so_far, turns, tokens_max }) => ({
          summary: summariseExtractively(`${summary_so_far}\n${textOf(turns)}`, tokens_max),
        }),
      ],
      [`${step}/levels/${n}`, ({ turns }) => levelsExtractively(textOf(turns))],
    ]),
  );
}

import { levelsExtractively, summariseExtractively } from "./summarise-extractively.ts";
import { textOf } from "./turns.ts";
import type { Turn } from "./turns.ts";

/** Input of the rolling summariser. */
export interface SummaryInput {
  readonly summary_so_far: string;
  readonly turns: readonly Turn[];
  readonly tokens_max: number;
}

/** Input of the hierarchical summariser: turns, or their summaries. */
export interface LevelsInput {
  readonly turns: readonly Turn[];
}

/** Maximum number of model steps in one compression, which bounds the conversation's length. */
export const STEPS_MAX = 64;

type SummaryStandIn = (input: SummaryInput & LevelsInput) => unknown;

/**
 * Stand-ins of a compression, for `standIns` of its agent: extractive summaries without a model.
 * @param step - As given to `compress`. Default `compress`.
 * @example
 * agent("intake@1", { standIns: { ...compressionStandIns() }, answers: [...COMPRESSION_ANSWERS], … })
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

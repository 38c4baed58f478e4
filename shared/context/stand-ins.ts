import { splitSentences } from "./entities.ts";
import { textOf } from "./summaries.ts";
import type { Turn } from "./summaries.ts";

/** Estimated characters of a token, where no tokenizer is loaded. */
const CHARS_PER_TOKEN = 4;
const LEVEL_CHARS_MAX = 1000;

/** Maximum number of model steps in one compression, which bounds the conversation's length. */
export const STEPS_MAX = 64;

type SummaryStandIn = (input: {
  readonly summary_so_far: string;
  readonly turns: readonly Turn[];
  readonly tokens_max: number;
}) => unknown;

/**
 * Stand-ins of a compression, for `standIns` of its agent: the first sentences that fit, without a model.
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
          summary: firstSentences(`${summary_so_far}\n${textOf(turns)}`, tokens_max * CHARS_PER_TOKEN),
        }),
      ],
      [
        `${step}/levels/${n}`,
        ({ turns }) => ({
          executive_summary: splitSentences(textOf(turns))[0]?.slice(0, LEVEL_CHARS_MAX) ?? "",
          key_points: splitSentences(firstSentences(textOf(turns), LEVEL_CHARS_MAX)).slice(0, 5),
        }),
      ],
    ]),
  );
}

function firstSentences(text: string, charsMax: number): string {
  let left = charsMax;
  return [...new Set(splitSentences(text))]
    .filter((sentence) => (left -= sentence.length + 1) >= 0)
    .join(" ");
}

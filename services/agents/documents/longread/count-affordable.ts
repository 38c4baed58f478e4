import type { CountTokens } from "#shared/context";

/** Tokens of an answer that is asked for in five sentences and six points. An answer is no longer than its text. */
const ANSWER_TOKENS = 800;
/** A merge is asked for a group of chunks. */
const CHUNKS_PER_MERGE = 8;

/**
 * Returns how many of the chunks the rest of the run's tokens pays for, counted from the first: to read each, and to
 * merge what was read.
 */
export function countAffordable(
  chunks: readonly string[],
  rest: {
    readonly tokensLeft: number;
    readonly count: CountTokens;
    /** Text sent beside each chunk and each merge: instructions, schema, question. */
    readonly asked: { readonly chunk: string; readonly merge: string };
  },
): number {
  const { count, asked } = rest;
  const [chunkTokens, mergeTokens] = [count(asked.chunk), count(asked.merge)];
  let left = rest.tokensLeft;
  const unaffordable = chunks.findIndex((chunk) => {
    const text = count(chunk);
    const answer = Math.min(ANSWER_TOKENS, text);
    // Its answer is paid for as it comes, and as it is shown to a merge.
    left -= chunkTokens + text + 2 * answer + (mergeTokens + ANSWER_TOKENS) / CHUNKS_PER_MERGE;
    return left < 0;
  });
  return unaffordable === -1 ? chunks.length : unaffordable;
}

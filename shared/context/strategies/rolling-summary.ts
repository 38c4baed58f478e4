import type { Digest, Work } from "../compression.ts";
import type { HistoryMessage } from "#shared/envelope";
import { groundSummary } from "../entities.ts";
import { ContextTooLargeError } from "../errors.ts";
import { STEPS_MAX } from "../stand-ins.ts";
import type { SummaryInput } from "../stand-ins.ts";
import { SUMMARY_INSTRUCTIONS, Summary } from "../summaries.ts";
import { portionsOf, textOf, toTurns } from "../turns.ts";
import type { Turn } from "../turns.ts";

export const PORTION_TOKENS_MAX_DEFAULT = 4000;
/** Share of a packet's tokens that the model is asked to stay below. */
const SUMMARY_SHARE = 0.55;

/** Summarises everything, and keeps as many of the newest turns as fit. */
export async function rollingSummary(work: Work): Promise<Digest> {
  const { history } = work.conversation;
  const { summary, dropped } = await roll(work, history);
  return { summary, dropped, turnsMax: history.length, conversation: work.conversation, levels: null };
}

/**
 * Folds turns into the summary, one portion a prompt, so that prompts are bounded for any conversation. Removes
 * ungrounded sentences before they are folded on.
 * @throws {ContextTooLargeError} More portions than the limit of steps.
 */
export async function roll(
  work: Work,
  history: readonly HistoryMessage[],
): Promise<{ readonly summary: string; readonly dropped: number }> {
  const portions = portionsOfWork(work, toTurns(history));
  const tokens_max = Math.max(32, Math.floor(work.tokensMax * SUMMARY_SHARE));
  let summary = work.summarySoFar;
  let dropped = 0;
  for (const [index, turns] of portions.entries()) {
    const input: SummaryInput = { summary_so_far: summary, turns, tokens_max };
    const answer = await work.ctx.model(`${work.options.step ?? "compress"}/summary/${index + 1}`, {
      instructions: SUMMARY_INSTRUCTIONS,
      input,
      answers: Summary,
      temperature: 0,
    });
    const grounded = groundSummary(answer.summary, `${summary}\n${textOf(turns)}`);
    summary = grounded.text;
    dropped += grounded.dropped;
  }
  return { summary, dropped };
}

export function portionsOfWork(work: Work, turns: readonly Turn[]): Turn[][] {
  const tokensMax = work.options.portionTokensMax ?? PORTION_TOKENS_MAX_DEFAULT;
  const portions = portionsOf(turns, { tokensMax, count: work.count });
  if (portions.length > STEPS_MAX) {
    const tokens = portions.length * tokensMax;
    throw new ContextTooLargeError({
      of: "A conversation to compress",
      tokens,
      tokensMax: STEPS_MAX * tokensMax,
    });
  }
  return portions;
}

const TURNS_DEFAULT = 6;

/** Keeps the newest turns verbatim and a rolling summary of the older ones. */
export async function recentWindow(work: Work, turns = TURNS_DEFAULT): Promise<Digest> {
  const { history } = work.conversation;
  const older = turns <= 0 ? history : history.slice(0, -turns);
  const { summary, dropped } = await roll(work, older);
  return { summary, dropped, turnsMax: turns, conversation: work.conversation, levels: null };
}

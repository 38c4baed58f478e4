import type { HistoryMessage } from "#shared/envelope";
import type { Detail, Digest, SummaryLevels, Work } from "../summaries.ts";
import { groundSummary } from "../entities.ts";
import { ContextTooLargeError } from "../errors.ts";
import { STEPS_MAX } from "../stand-ins.ts";
import type { LevelsInput, SummaryInput } from "../stand-ins.ts";
import { LEVELS_INSTRUCTIONS, Levels, SUMMARY_INSTRUCTIONS, Summary, atDetail } from "../summaries.ts";
import { portionsOf, textOf, toTurns } from "../turns.ts";
import type { Turn } from "../turns.ts";

const PORTION_TOKENS_MAX_DEFAULT = 4000;
/** Share of a packet's tokens that the model is asked to stay below. */
const SUMMARY_SHARE = 0.55;

/** Summarises everything, and keeps as many of the newest turns as fit. */
export async function rollingSummary(work: Work): Promise<Digest> {
  const { history } = work.conversation;
  const { summary, dropped } = await roll(work, history);
  return { summary, dropped, turnsMax: history.length, conversation: work.conversation, levels: null };
}

/**
 * Folds turns into the summary, one bounded portion a prompt, without ungrounded sentences.
 * @throws {ContextTooLargeError} More portions than the limit of steps.
 */
async function roll(
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

function portionsOfWork(work: Work, turns: readonly Turn[]): Turn[][] {
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

const NOTHING: SummaryLevels = { executive_summary: "", key_points: [] };

/** Summarises each portion at two levels, and the summaries again until one is left; returns the requested level. */
export async function hierarchicalSummary(work: Work, detail: Detail): Promise<Digest> {
  const { history } = work.conversation;
  const before: Turn[] = work.summarySoFar === "" ? [] : [{ role: "assistant", content: work.summarySoFar }];
  const climb = new Climb(work);
  const levels = await climb.toTop([...before, ...toTurns(history)]);
  return {
    summary: atDetail(levels, detail),
    turnsMax: detail === "full" ? history.length : 0,
    conversation: work.conversation,
    levels,
    dropped: climb.dropped,
  };
}

class Climb {
  dropped = 0;
  private readonly work: Work;
  private steps = 0;

  constructor(work: Work) {
    this.work = work;
  }

  async toTop(turns: readonly Turn[]): Promise<SummaryLevels> {
    let level = portionsOfWork(this.work, turns);
    if (level.length === 0) return NOTHING;
    for (;;) {
      const summed: SummaryLevels[] = [];
      for (const portion of level) summed.push(await this.sumUp(portion));
      if (summed.length === 1) return summed[0] ?? NOTHING;
      const next = portionsOfWork(this.work, summed.map(asTurn));
      // Summaries that do not get shorter would loop forever.
      if (next.length >= level.length) return merge(summed);
      level = next;
    }
  }

  private async sumUp(turns: readonly Turn[]): Promise<SummaryLevels> {
    this.steps += 1;
    if (this.steps > STEPS_MAX)
      throw new ContextTooLargeError({ of: "A compression", tokens: this.steps, tokensMax: STEPS_MAX });
    const input: LevelsInput = { turns };
    const answer = await this.work.ctx.model(`${this.work.options.step ?? "compress"}/levels/${this.steps}`, {
      instructions: LEVELS_INSTRUCTIONS,
      input,
      answers: Levels,
      temperature: 0,
    });
    const source = textOf(turns);
    const ground = (text: string): string => {
      const grounded = groundSummary(text, source);
      this.dropped += grounded.dropped;
      return grounded.text;
    };
    return {
      executive_summary: ground(answer.executive_summary),
      key_points: answer.key_points.map(ground).filter((point) => point !== ""),
    };
  }
}

function asTurn({ executive_summary, key_points }: SummaryLevels): Turn {
  return { role: "assistant", content: [executive_summary, ...key_points].join("\n") };
}

const POINTS_MAX = 12;

function merge(all: readonly SummaryLevels[]): SummaryLevels {
  return {
    executive_summary: all[0]?.executive_summary ?? "",
    key_points: all.flatMap(({ key_points }) => key_points).slice(0, POINTS_MAX),
  };
}

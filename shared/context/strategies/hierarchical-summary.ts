import type { Digest, Work } from "../compression.ts";
import { groundSummary } from "../entities.ts";
import { ContextTooLargeError } from "../errors.ts";
import { STEPS_MAX } from "../stand-ins.ts";
import type { LevelsInput } from "../stand-ins.ts";
import { atDetail, Levels, LEVELS_INSTRUCTIONS } from "../summaries.ts";
import type { Detail, SummaryLevels } from "../summaries.ts";
import { textOf, toTurns } from "../turns.ts";
import type { Turn } from "../turns.ts";
import { portionsOfWork } from "./rolling-summary.ts";

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

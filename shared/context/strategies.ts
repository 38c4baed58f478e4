import { groundSummary } from "./entities.ts";
import { ContextTooLargeError } from "./errors.ts";
import { STEPS_MAX } from "./stand-ins.ts";
import {
  atDetail,
  Levels,
  LEVELS_INSTRUCTIONS,
  Summary,
  SUMMARY_INSTRUCTIONS,
  textOf,
  toTurns,
} from "./summaries.ts";
import type { Detail, Digest, SummaryLevels, Turn, Work } from "./summaries.ts";
import { splitText } from "./tokens.ts";

const PORTION_TOKENS_MAX_DEFAULT = 4000;
/** Share of a packet's tokens that the model is asked to stay below. */
const SUMMARY_SHARE = 0.55;

/** Folds turns into the summary, by portions, but for `turnsKept`. @throws {ContextTooLargeError} Too many. */
export async function rollingSummary(work: Work, turnsKept?: number): Promise<Digest> {
  const { conversation, summarySoFar } = work;
  const { history } = conversation;
  const older = turnsKept === undefined || turnsKept <= 0 ? history : history.slice(0, -turnsKept);
  const tokens_max = Math.max(32, Math.floor(work.tokensMax * SUMMARY_SHARE));
  let [summary, dropped] = [summarySoFar, 0];
  for (const [index, turns] of portionsOfWork(work, toTurns(older)).entries()) {
    const answer = await work.ctx.model(`${work.options.step ?? "compress"}/summary/${index + 1}`, {
      instructions: SUMMARY_INSTRUCTIONS,
      input: { summary_so_far: summary, turns, tokens_max },
      answers: Summary,
      temperature: 0,
    });
    const grounded = groundSummary(answer.summary, `${summary}\n${textOf(turns)}`);
    summary = grounded.text;
    dropped += grounded.dropped;
  }
  return { summary, dropped, turnsMax: turnsKept ?? history.length, conversation, levels: null };
}

/** Groups turns into portions, in order. Splits a larger turn at sentences. @throws {ContextTooLargeError} */
function portionsOfWork({ options, count }: Work, turns: readonly Turn[]): Turn[][] {
  const tokensMax = options.portionTokensMax ?? PORTION_TOKENS_MAX_DEFAULT;
  const portions: Turn[][] = [];
  let used = Infinity;
  for (const turn of turns.flatMap((one) => cutTurn(one, { tokensMax, count }))) {
    const tokens = count(JSON.stringify(turn)) + 1;
    if (used + tokens > tokensMax) {
      portions.push([]);
      used = 0;
    }
    portions.at(-1)?.push(turn);
    used += tokens;
  }
  const most = { tokens: portions.length * tokensMax, tokensMax: STEPS_MAX * tokensMax };
  if (most.tokens > most.tokensMax)
    throw new ContextTooLargeError({ of: "A conversation to compress", ...most });
  return portions;
}

function cutTurn(
  turn: Turn,
  { tokensMax, count }: { readonly tokensMax: number; readonly count: (text: string) => number },
): Turn[] {
  if (count(JSON.stringify(turn)) <= tokensMax) return [turn];
  // A token has at least one character.
  const ranges = splitText(turn.content, Math.max(16, Math.floor(tokensMax)));
  return ranges.map(({ from, to }) => ({ role: turn.role, content: turn.content.slice(from, to) }));
}

const NOTHING: SummaryLevels = { executive_summary: "", key_points: [] };

/** Summarises each portion at two levels, and the summaries again until one is left; returns the requested level. */
export async function hierarchicalSummary(work: Work, detail: Detail): Promise<Digest> {
  const { conversation, summarySoFar } = work;
  const { history } = conversation;
  const before: Turn[] = summarySoFar === "" ? [] : [{ role: "assistant", content: summarySoFar }];
  let [steps, dropped] = [0, 0];
  const sumUp = async (turns: readonly Turn[]): Promise<SummaryLevels> => {
    steps += 1;
    if (steps > STEPS_MAX)
      throw new ContextTooLargeError({ of: "A compression", tokens: steps, tokensMax: STEPS_MAX });
    const answer = await work.ctx.model(`${work.options.step ?? "compress"}/levels/${steps}`, {
      instructions: LEVELS_INSTRUCTIONS,
      input: { turns },
      answers: Levels,
      temperature: 0,
    });
    const source = textOf(turns);
    const ground = (text: string): string => {
      const grounded = groundSummary(text, source);
      dropped += grounded.dropped;
      return grounded.text;
    };
    return {
      executive_summary: ground(answer.executive_summary),
      key_points: answer.key_points.map(ground).filter((point) => point !== ""),
    };
  };
  let levels = NOTHING;
  let portions = portionsOfWork(work, [...before, ...toTurns(history)]);
  while (portions.length > 0) {
    const summed: SummaryLevels[] = [];
    for (const portion of portions) summed.push(await sumUp(portion));
    levels = merge(summed);
    const next = summed.length === 1 ? [] : portionsOfWork(work, summed.map(asTurn));
    // Summaries that do not get shorter would loop forever.
    portions = next.length < portions.length ? next : [];
  }
  return {
    summary: atDetail(levels, detail),
    turnsMax: detail === "full" ? history.length : 0,
    conversation,
    levels,
    dropped,
  };
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

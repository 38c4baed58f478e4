import { firstAid } from "#shared/repair";
import { median } from "../../quantile.ts";
import { loadPeers } from "../load-peers.ts";
import { typicalTexts } from "./typical-texts.ts";
import type { TypicalText } from "./typical-texts.ts";

export const SPEED_SETTINGS = {
  seed: 1,
  /** Turns in which all take each text, and how often each time. */
  turns: 15,
  times: 10,
};

export type SpeedSettings = Readonly<typeof SPEED_SETTINGS>;

export const QUICK_SPEED_SETTINGS: SpeedSettings = { seed: 1, turns: 5, times: 5 };

/** Median time of a fault's texts, in microseconds. */
export interface SpeedRow {
  readonly fault: string;
  readonly texts: number;
  /** Characters of a text, on average. */
  readonly chars: number;
  readonly without_schema_us: number;
  readonly with_schema_us: number;
  /** Null: jsonrepair is not installed, or throws. */
  readonly jsonrepair_us: number | null;
  readonly ratio_to_jsonrepair: number | null;
}

interface Timed {
  readonly text: TypicalText;
  readonly plain: number;
  readonly aligned: number;
  readonly peer: number;
}

/** Times first aid beside jsonrepair on typical answers with one fault, in turns. The first row is of all together. */
export async function measureSpeed({ seed, turns, times }: SpeedSettings): Promise<SpeedRow[]> {
  const peers = await loadPeers();
  const repair = peers.find(({ name }) => name === "jsonrepair")?.repair;
  const texts = typicalTexts(seed);
  const rounds = Array.from({ length: turns + 1 }, () =>
    texts.map((one) => {
      const { text, schema } = one;
      return {
        text: one,
        plain: microsOf(times, () => firstAid(text)),
        peer: repair === undefined ? Number.NaN : microsOf(times, () => repair(text, undefined)),
        aligned: microsOf(times, () => firstAid(text, schema)),
      };
    }),
  );
  // The first turn compiles. Of the others the fastest counts, for the machine has other work.
  const timed = texts.map((text, at): Timed => {
    const own = rounds.slice(1).flatMap((round) => round[at] ?? []);
    return {
      text,
      plain: Math.min(...own.map((one) => one.plain)),
      peer: Math.min(...own.map((one) => one.peer)),
      aligned: Math.min(...own.map((one) => one.aligned)),
    };
  });
  const damaged = timed.filter((one) => one.text.fault !== "none");
  const byFault = Map.groupBy(timed, (one) => one.text.fault);
  return [rowOf("one fault", damaged), ...[...byFault].map(([fault, some]) => rowOf(fault, some))];
}

function rowOf(fault: string, timed: readonly Timed[]): SpeedRow {
  const done = timed.filter((one) => !Number.isNaN(one.peer));
  return {
    fault,
    texts: timed.length,
    chars: timed.reduce((sum, one) => sum + one.text.text.length, 0) / Math.max(1, timed.length),
    without_schema_us: median(timed.map((one) => one.plain)),
    with_schema_us: median(timed.map((one) => one.aligned)),
    jsonrepair_us: done.length === 0 ? null : median(done.map((one) => one.peer)),
    ratio_to_jsonrepair: done.length === 0 ? null : median(done.map((one) => one.plain / one.peer)),
  };
}

/** Time of one call; NaN where it throws. */
function microsOf(times: number, call: () => unknown): number {
  const startedAt = performance.now();
  try {
    for (let done = 0; done < times; done += 1) call();
  } catch {
    return Number.NaN;
  }
  return ((performance.now() - startedAt) * 1000) / times;
}

import { Draw } from "../seeded.ts";
import { hold } from "./laws.ts";
import { makeText } from "./make-text.ts";
import type { Ground } from "./make-text.ts";

/** What a run of the fuzzer found. */
export interface FuzzReport {
  readonly texts: number;
  readonly chars: number;
  readonly repaired: number;
  readonly refused: number;
  readonly steps: number;
  readonly cpuMicros: number;
  /** The longest time that one text took. */
  readonly cpuMicrosMax: number;
  /** Texts for which a law did not hold, at most 20, each with the law. */
  readonly broken: readonly { readonly law: string; readonly input: string; readonly schema: unknown }[];
}

const BROKEN_MAX = 20;

/**
 * Throws random, damaged and spliced texts at first aid and holds it to its laws. The same texts for the same seed.
 *
 * @param run.isTimed - False for tests, which a busy machine must not fail.
 */
export function fuzz(run: { texts: number; seed: number; ground: Ground; isTimed: boolean }): FuzzReport {
  const { texts, seed, ground, isTimed } = run;
  const draw = new Draw(seed);
  const counts = { chars: 0, repaired: 0, refused: 0, steps: 0, cpuMicros: 0, cpuMicrosMax: 0 };
  const broken: FuzzReport["broken"][number][] = [];
  for (let made = 0; made < texts && broken.length < BROKEN_MAX; made += 1) {
    const one = makeText(draw, ground);
    const { law, isRepaired, cpuMicros, steps } = hold(one, isTimed);
    counts.chars += one.input.length;
    counts[isRepaired ? "repaired" : "refused"] += 1;
    counts.steps += steps;
    counts.cpuMicros += cpuMicros;
    counts.cpuMicrosMax = Math.max(counts.cpuMicrosMax, cpuMicros);
    if (law !== undefined) broken.push({ law, ...one });
  }
  return { texts: counts.repaired + counts.refused, ...counts, broken };
}

/** Adds the counts of two runs. */
export function sumOf(one: FuzzReport, other: FuzzReport): FuzzReport {
  return {
    texts: one.texts + other.texts,
    chars: one.chars + other.chars,
    repaired: one.repaired + other.repaired,
    refused: one.refused + other.refused,
    steps: one.steps + other.steps,
    cpuMicros: one.cpuMicros + other.cpuMicros,
    cpuMicrosMax: Math.max(one.cpuMicrosMax, other.cpuMicrosMax),
    broken: [...one.broken, ...other.broken].slice(0, BROKEN_MAX),
  };
}

export const NOTHING: FuzzReport = {
  texts: 0,
  chars: 0,
  repaired: 0,
  refused: 0,
  steps: 0,
  cpuMicros: 0,
  cpuMicrosMax: 0,
  broken: [],
};

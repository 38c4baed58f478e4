import type { Sample } from "./sample.ts";

/** What grew how much over the last quarter of the runs, as a share of its mean there. */
export interface Growth {
  readonly what: "redisBytes" | "keys" | "members" | "heapBytes";
  readonly mean: number;
  readonly growth: number;
  readonly growthMax: number;
  readonly isFlat: boolean;
}

/** A quarter with fewer samples says nothing about a slope. */
const SAMPLES_MIN = 5;

/** The load goes up and down with the machine, so that a plateau is not a straight line. */
const GROWTH_MAX = { redisBytes: 0.08, keys: 0.08, members: 0.08, heapBytes: 0.12 } as const;

/**
 * The rule of the plateau: a least-squares line through the samples of the last quarter of the runs rises over that
 * quarter by no more than the share that is allowed, of the mean there. What grows without bound rises by a quarter of
 * the whole, which is 29 % of that mean. A fall is flat.
 *
 * @returns Empty when the last quarter has too few samples to tell.
 */
export function judgePlateau(samples: readonly Sample[]): Growth[] {
  const end = samples.at(-1)?.runs ?? 0;
  const last = samples.filter((sample) => sample.runs >= end * 0.75);
  if (last.length < SAMPLES_MIN) return [];
  return (["redisBytes", "keys", "members", "heapBytes"] as const).map((what) => {
    const points = last.map((sample) => ({ x: sample.runs, y: sample[what] }));
    const mean = points.reduce((sum, point) => sum + point.y, 0) / points.length;
    const rise = slopeOf(points) * ((last.at(-1)?.runs ?? 0) - (last[0]?.runs ?? 0));
    const growth = mean === 0 ? 0 : rise / mean;
    return { what, mean, growth, growthMax: GROWTH_MAX[what], isFlat: growth <= GROWTH_MAX[what] };
  });
}

/** Of the least-squares line. */
function slopeOf(points: readonly { readonly x: number; readonly y: number }[]): number {
  const meanX = points.reduce((sum, point) => sum + point.x, 0) / points.length;
  const meanY = points.reduce((sum, point) => sum + point.y, 0) / points.length;
  const covariance = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0);
  const variance = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  return variance === 0 ? 0 : covariance / variance;
}

/** The value below which `share` of the values lie; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Latencies in ms. */
export interface Latency {
  readonly p50_ms: number;
  readonly p99_ms: number;
}

export function toLatency(latencies: readonly number[]): Latency {
  return { p50_ms: quantile(latencies, 0.5), p99_ms: quantile(latencies, 0.99) };
}

/** Spread of repeated measurements of one figure. */
export interface Spread {
  readonly count: number;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly p25: number;
  readonly p75: number;
  /** Share of the measurements that differ from the median by more than a tenth of it. */
  readonly off_by_a_tenth: number;
}

export function toSpread(values: readonly number[]): Spread {
  const middle = median(values);
  const off = values.filter((value) => Math.abs(value - middle) > middle / 10);
  return {
    count: values.length,
    median: middle,
    min: Math.min(...values),
    max: Math.max(...values),
    p25: quantile(values, 0.25),
    p75: quantile(values, 0.75),
    off_by_a_tenth: off.length / values.length,
  };
}

/** Each figure by the anchor's of the same pair. @throws {RangeError} They are not pairs. */
export function toRatios(figures: readonly number[], anchors: readonly number[]): number[] {
  if (figures.length !== anchors.length)
    throw new RangeError(`${figures.length} figures have ${anchors.length} anchors`);
  return figures.map((figure, index) => figure / (anchors[index] ?? Number.NaN));
}

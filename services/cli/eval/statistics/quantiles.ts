/** Milliseconds below which half, 95 % and 99 % of the values lie; null of none. */
export interface Quantiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** By the nearest rank: each is a value that was measured. */
export function toQuantiles(values: readonly number[]): Quantiles | null {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return sorted.length === 0 ? null : { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

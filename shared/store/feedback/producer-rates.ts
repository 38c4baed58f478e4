import type { Keys } from "../keys.ts";
import type { RedisClient } from "../script.ts";
import { readProducerKey } from "./producer-key.ts";
import type { ProducerOfOutput } from "./producer-key.ts";
import { readBuckets } from "./read-buckets.ts";
import type { RateSpan } from "./read-buckets.ts";

/** Output counts of one producer in a time span. */
export interface ProducerRate extends ProducerOfOutput {
  /** Outputs, malformed ones included. */
  readonly outputs: number;
  /** Outputs that became dead messages because of their form or content. */
  readonly malformed: number;
  /** Share of `malformed` in `outputs`, 0 to 1. */
  readonly rate: number;
  /** Counts by minute or hour, depending on the span, oldest first, the current one last. */
  readonly trend: { readonly outputs: readonly number[]; readonly malformed: readonly number[] };
}

/** Rates of malformed outputs by producer, by minute for an hour and by hour for two days. */
export class ProducerRates {
  private readonly redis: RedisClient;
  private readonly keys: Keys;

  constructor(redis: RedisClient, keys: Keys) {
    this.redis = redis;
    this.keys = keys;
  }

  /** Returns the rates, the worst first. */
  async read(span: RateSpan): Promise<ProducerRate[]> {
    const buckets = await readBuckets(this.redis, span, (bucket) => this.keys.feedback(`rates:${bucket}`));
    const counted = new Map<string, Counted>();
    for (const [field, counts] of buckets) add(counted, field, counts);
    return [...counted].map(toRate).toSorted((a, b) => b.rate - a.rate || b.outputs - a.outputs);
  }
}

/** Counts by minute or hour. */
interface Counted {
  readonly outputs: number[];
  readonly malformed: number[];
}

/** Adds the counts of a field: `g|` (well-formed) or `m|` (malformed), then the producer's key. */
function add(counted: Map<string, Counted>, field: string, counts: readonly number[]): void {
  const key = field.slice(2);
  const zeros = (): number[] => counts.map(() => 0);
  const known = counted.get(key) ?? { outputs: zeros(), malformed: zeros() };
  counted.set(key, known);
  for (const [place, count] of counts.entries()) {
    known.outputs[place] = (known.outputs[place] ?? 0) + count;
    if (!field.startsWith("g|")) known.malformed[place] = (known.malformed[place] ?? 0) + count;
  }
}

function toRate([key, trend]: [string, Counted]): ProducerRate {
  const sum = (counts: readonly number[]): number => counts.reduce((total, one) => total + one, 0);
  const outputs = sum(trend.outputs);
  const malformed = sum(trend.malformed);
  return { ...readProducerKey(key), outputs, malformed, rate: malformed / outputs, trend };
}

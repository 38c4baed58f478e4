import { z } from "zod";
import { now } from "#shared/clock";
import { countRates } from "../scripts/feedback.ts";
import { StorePart, sum } from "../store-part.ts";

/** The producer of an output: the dimensions that outputs are counted by. */
const producerSchema = z.object({
  /** `name@version`. */
  agent: z.string(),
  /** `name@version` of the contract that the output claims. */
  contract: z.string(),
  /** Null if the output is a handoff rather than a model's answer. */
  model: z.string().nullable(),
  prompt_version: z.string().nullable(),
});

export type ProducerOfOutput = Readonly<z.output<typeof producerSchema>>;

/** Outputs of a producer, the malformed ones among them (dead messages by their form or content), and their share. */
export const producerRateSchema = producerSchema.extend({
  outputs: z.int(),
  malformed: z.int(),
  rate: z.number(),
  trend: z.object({ outputs: z.array(z.int()), malformed: z.array(z.int()) }),
});

/** Counts of good and bad in a time span. */
interface Trend {
  /** By minute or hour, depending on the span, oldest first, the current one last. */
  readonly good: readonly number[];
  readonly bad: readonly number[];
}

/** A sender, a receiver and what is sent between them: the dimensions that handoffs are counted by. */
export interface HandoffPair {
  /** Plain names. */
  readonly from: string;
  readonly to: string;
  readonly handoff_type: string;
  /** `name@version` of the contract sent. */
  readonly contract: string;
}

/** Results of the handoffs of one pair in a time span. */
export interface HandoffRate extends HandoffPair {
  /** The receiver did its part. */
  readonly done: number;
  /** Refused, dead, expired or otherwise ended; a repaired one counts again as done. */
  readonly failed: number;
  readonly trend: { readonly done: readonly number[]; readonly failed: readonly number[] };
}

/** `hour`: the last 60 minutes; `two_days`: the last 48 hours. The last bucket is the current one. */
export const RATE_SPANS = ["hour", "two_days"] as const;

type RateSpan = (typeof RATE_SPANS)[number];

const MINUTE = { name: "m", bucketMs: 60_000, count: 60 };
const HOUR = { name: "h", bucketMs: 3_600_000, count: 48 };

/** Maximum producers and pairs in one bucket; the rest is counted together. */
const PRODUCERS_MAX = 200;
const PAIRS_MAX = 1000;

const PART_CHARS_MAX = 100;
const NOTHING = "-";

function keyOf(parts: readonly string[]): string {
  return parts.map((part) => part.slice(0, PART_CHARS_MAX).replaceAll("|", "_")).join("|");
}

/** Returns the key that a producer is counted by. */
export function producerKey({ agent, contract, model, prompt_version }: ProducerOfOutput): string {
  return keyOf([agent, contract, model ?? NOTHING, prompt_version ?? NOTHING]);
}

/** Returns the key that a pair is counted by. */
export function pairKey({ from, to, handoff_type, contract }: HandoffPair): string {
  return keyOf([from, to, handoff_type, contract]);
}

/** Counts to add, by key of a producer or a pair. */
export interface Counts {
  readonly good?: ReadonlyMap<string, number>;
  readonly bad?: ReadonlyMap<string, number>;
}

type What = "rates" | "handoffs";

/** Outputs, well-formed or malformed, and handoffs, done or failed: by minute for an hour, by hour for two days. */
export class Rates extends StorePart {
  async countOutputs(counts: Counts): Promise<void> {
    await this.count("rates", counts, PRODUCERS_MAX);
  }

  async countHandoffs(counts: Counts): Promise<void> {
    await this.count("handoffs", counts, PAIRS_MAX);
  }

  private async count(what: What, { good, bad }: Counts, keysMax: number): Promise<void> {
    const rows = [...rowsOf("g", good), ...rowsOf("b", bad)];
    if (rows.length === 0) return;
    const bucket = ({ name, bucketMs }: typeof MINUTE): string =>
      this.keys.feedback(`${what}:${name}:${Math.floor(now() / bucketMs)}`);
    // Each key may be counted on both sides.
    await countRates.run(this.redis, {
      ofMinute: bucket(MINUTE),
      ofHour: bucket(HOUR),
      rows,
      rowsMax: 2 * keysMax,
    });
  }

  /** Returns the outputs of every producer, the worst first. Those beyond the limit are summed as `others`. */
  async producers(span: RateSpan): Promise<z.output<typeof producerRateSchema>[]> {
    const rates = [...(await this.read("rates", span))].map(([key, { good, bad }]) => {
      const [agent = "", contract = "", model = NOTHING, prompt = NOTHING] = key.split("|");
      const orNull = (part: string): string | null => (part === NOTHING ? null : part);
      const all = good.map((count, place) => count + (bad[place] ?? 0));
      const [outputs, malformed] = [sum(all), sum(bad)];
      const producer = { agent, contract, model: orNull(model), prompt_version: orNull(prompt) };
      const trend = { outputs: all, malformed: [...bad] };
      return { ...producer, outputs, malformed, rate: malformed / outputs, trend };
    });
    return rates.toSorted((a, b) => b.rate - a.rate || b.outputs - a.outputs);
  }

  /** Returns the handoffs of all pairs. Those beyond the limit are summed under the sender `others`. */
  async handoffs(span: RateSpan): Promise<HandoffRate[]> {
    return [...(await this.read("handoffs", span))].map(([key, { good: done, bad: failed }]) => {
      const [from = "", to = "", handoff_type = "", contract = ""] = key.split("|");
      const trend = { done, failed };
      return { from, to, handoff_type, contract, done: sum(done), failed: sum(failed), trend };
    });
  }

  private async read(what: What, span: RateSpan): Promise<ReadonlyMap<string, Trend>> {
    const { name, bucketMs, count } = span === "hour" ? MINUTE : HOUR;
    const first = Math.floor(now() / bucketMs) - count + 1;
    const buckets = await Promise.all(
      Array.from({ length: count }, (_, i) =>
        this.redis.hgetall(this.keys.feedback(`${what}:${name}:${first + i}`)),
      ),
    );
    const zeros = (): number[] => Array.from({ length: count }, () => 0);
    const counted = new Map<string, { good: number[]; bad: number[] }>();
    for (const [place, bucket] of buckets.entries()) {
      for (const [field, text] of Object.entries(bucket)) {
        const key = field.slice(2);
        const known = counted.get(key) ?? { good: zeros(), bad: zeros() };
        counted.set(key, known);
        known[field.startsWith("g|") ? "good" : "bad"][place] = Number(text);
      }
    }
    return counted;
  }
}

function rowsOf(side: "g" | "b", counts: ReadonlyMap<string, number> = new Map()) {
  return [...counts].map(([key, count]) => ({ field: `${side}|${key}`, count }));
}

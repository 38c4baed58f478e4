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

/** The dimensions that model calls of agents are paid by. */
const payerSchema = z.object({
  team: z.string(),
  /** Plain name. */
  agent: z.string(),
  model: z.string(),
  tenant: z.string(),
});

export type Payer = Readonly<z.output<typeof payerSchema>>;

/** The model calls of one payer in a time span; costs in USD. */
export const modelCostSchema = payerSchema.extend({
  calls: z.int(),
  tokens: z.int(),
  cost: z.number(),
  trend: z.array(z.number()),
});

/** `hour`: 60 minutes; `two_days`: 48 hours; `month`: 31 days of UTC. The last bucket is the current one. */
export const RATE_SPANS = ["hour", "two_days", "month"] as const;

type RateSpan = (typeof RATE_SPANS)[number];

const DAY_MS = 86_400_000;
/** The buckets of a span. One more is kept than is read. */
const BUCKETS = {
  hour: { name: "m", bucketMs: 60_000, count: 60 },
  two_days: { name: "h", bucketMs: 3_600_000, count: 48 },
  month: { name: "d", bucketMs: DAY_MS, count: 31 },
} as const satisfies Record<RateSpan, object>;

/** Maximum producers, pairs and payers in one bucket; the rest is counted together. */
const PRODUCERS_MAX = 200;
const PAIRS_MAX = 1000;
const PAYERS_MAX = 500;
const MICRO = 1_000_000;

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

/** Returns the key that model calls are paid by. */
export function payerKey({ team, agent, model, tenant }: Payer): string {
  return keyOf([team, agent, model, tenant]);
}

/** Counts to add, by key of a producer, a pair or a payer. */
export type Counts = ReadonlyMap<string, number>;

/** The kinds of counts, and the letters under which each key has a count of its own. */
const SIDES = { rates: ["g", "b"], handoffs: ["g", "b"], costs: ["n", "t", "c"] } as const;

type What = keyof typeof SIDES;

/** By what is counted, the counts of each bucket of a span, the oldest first. */
type Trends = Readonly<Record<string, readonly number[]>>;

/**
 * Outputs, well-formed or malformed, handoffs, done or failed, and model calls with their tokens and micro-USD: by
 * minute for an hour, by hour for two days, by day for a month.
 */
export class Rates extends StorePart {
  async countOutputs({ good, bad }: { readonly good?: Counts; readonly bad?: Counts }): Promise<void> {
    await this.count("rates", { g: good, b: bad }, PRODUCERS_MAX);
  }

  async countHandoffs({ good, bad }: { readonly good?: Counts; readonly bad?: Counts }): Promise<void> {
    await this.count("handoffs", { g: good, b: bad }, PAIRS_MAX);
  }

  async countCosts(counts: {
    readonly calls: Counts;
    readonly tokens: Counts;
    readonly micro: Counts;
  }): Promise<void> {
    await this.count("costs", { n: counts.calls, t: counts.tokens, c: counts.micro }, PAYERS_MAX);
  }

  private async count(
    what: What,
    counts: Readonly<Record<string, Counts | undefined>>,
    keysMax: number,
  ): Promise<void> {
    const rows = Object.entries(counts).flatMap(([side, of]) =>
      [...(of ?? [])].map(([key, count]) => ({ field: `${side}|${key}`, count })),
    );
    if (rows.length === 0) return;
    const bucket = (span: RateSpan): string =>
      this.bucketKey(what, span, Math.floor(now() / BUCKETS[span].bucketMs));
    await countRates.run(this.redis, {
      ofMinute: bucket("hour"),
      ofHour: bucket("two_days"),
      ofDay: bucket("month"),
      rows,
      rowsMax: SIDES[what].length * keysMax,
    });
  }

  /** Returns the outputs of every producer, the worst first. Those beyond the limit are summed as `others`. */
  async producers(span: RateSpan): Promise<z.output<typeof producerRateSchema>[]> {
    const rates = [...(await this.read("rates", span))].map(([key, { g: good = [], b: bad = [] }]) => {
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
    return [...(await this.read("handoffs", span))].map(([key, { g: done = [], b: failed = [] }]) => {
      const [from = "", to = "", handoff_type = "", contract = ""] = key.split("|");
      const trend = { done, failed };
      return { from, to, handoff_type, contract, done: sum(done), failed: sum(failed), trend };
    });
  }

  /** Returns what agents paid for model calls, the dearest first. Payers beyond the limit are summed as `others`. */
  async costs(span: RateSpan): Promise<z.output<typeof modelCostSchema>[]> {
    const costs = [...(await this.read("costs", span))].map(([key, { n = [], t = [], c = [] }]) => {
      const [team = "", agent = "", model = "", tenant = ""] = key.split("|");
      const trend = c.map((micro) => micro / MICRO);
      const cost = sum(c) / MICRO;
      return { team, agent, model, tenant, calls: sum(n), tokens: sum(t), cost, trend };
    });
    return costs.toSorted((a, b) => b.cost - a.cost || b.calls - a.calls);
  }

  private async read(what: What, span: RateSpan): Promise<ReadonlyMap<string, Trends>> {
    const { bucketMs, count } = BUCKETS[span];
    const first = Math.floor(now() / bucketMs) - count + 1;
    const buckets = await Promise.all(
      Array.from({ length: count }, (_, i) => this.redis.hgetall(this.bucketKey(what, span, first + i))),
    );
    const counted = new Map<string, Record<string, number[]>>();
    for (const [place, bucket] of buckets.entries()) {
      for (const [field, text] of Object.entries(bucket)) {
        const [side, key] = [field.slice(0, 1), field.slice(2)];
        const known =
          counted.get(key) ??
          Object.fromEntries(SIDES[what].map((one) => [one, Array.from({ length: count }, () => 0)]));
        counted.set(key, known);
        const counts = known[side];
        if (counts !== undefined) counts[place] = Number(text);
      }
    }
    return counted;
  }

  private bucketKey(what: What, span: RateSpan, nth: number): string {
    return this.keys.feedback(`${what}:${BUCKETS[span].name}:${nth}`);
  }
}

import { pairKey, payerKey, producerKey } from "#shared/store/feedback";
import type { HandoffPair, Payer, ProducerOfOutput, Rates } from "#shared/store/feedback";

/** Maximum producers, pairs and payers counted apart between two reports: model names come from the endpoint. */
const KEYS_MAX = 500;
const MICRO = 1_000_000;

/** Counts well-formed outputs, results of handoffs and model calls in memory, so that a hop asks Redis nothing. */
export class OutputCounter {
  private readonly rates: Pick<Rates, "countOutputs" | "countHandoffs" | "countCosts">;
  private counts = noCounts();

  constructor(rates: OutputCounter["rates"]) {
    this.rates = rates;
  }

  /** Counts one well-formed output. */
  count(producer: ProducerOfOutput): void {
    add(this.counts.outputs, producerKey(producer), 1);
  }

  /** Counts the outcome of one handoff. */
  countHandoff({ isDone, ...pair }: HandoffPair & { readonly isDone: boolean }): void {
    add(isDone ? this.counts.done : this.counts.failed, pairKey(pair), 1);
  }

  /** Counts one model call that may be billed. @param paid.cost - In USD. */
  countCall(payer: Payer, { cost, tokens }: { readonly cost: number; readonly tokens: number }): void {
    const key = payerKey(payer);
    add(this.counts.calls, key, 1);
    add(this.counts.tokens, key, tokens);
    add(this.counts.micro, key, Math.round(cost * MICRO));
  }

  /** Writes the counts; those that fail go with the next report. @throws {Error} Redis is unavailable. */
  async report(): Promise<void> {
    const { counts, rates } = this;
    this.counts = noCounts();
    const { outputs, done, failed, calls, tokens, micro } = counts;
    const reports = await Promise.allSettled([
      this.keepOnFailure(rates.countOutputs({ good: outputs }), { outputs }),
      this.keepOnFailure(rates.countHandoffs({ good: done, bad: failed }), { done, failed }),
      this.keepOnFailure(rates.countCosts({ calls, tokens, micro }), { calls, tokens, micro }),
    ]);
    const wrong = reports.find(({ status }) => status === "rejected");
    if (wrong?.status === "rejected") throw wrong.reason;
  }

  private async keepOnFailure(report: Promise<void>, counts: Partial<Counted>): Promise<void> {
    try {
      await report;
    } catch (error) {
      for (const [name, of] of Object.entries(counts))
        // Of the names that a count has.
        for (const [key, count] of of) add(this.counts[name as keyof Counted], key, count);
      throw error;
    }
  }
}

type Counted = ReturnType<typeof noCounts>;

function noCounts() {
  const none = (): Map<string, number> => new Map();
  return { outputs: none(), done: none(), failed: none(), calls: none(), tokens: none(), micro: none() };
}

function add(counts: Map<string, number>, key: string, count: number): void {
  const place = counts.has(key) || counts.size < KEYS_MAX ? key : "others";
  counts.set(place, (counts.get(place) ?? 0) + count);
}

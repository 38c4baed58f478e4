import { pairKey, producerKey } from "#shared/store/feedback";
import type { HandoffPair, ProducerOfOutput, Rates } from "#shared/store/feedback";

/** Maximum producers and pairs counted apart between two reports: model names come from the endpoint. */
const KEYS_MAX = 500;

/** Counts well-formed outputs and results of handoffs in memory, so that a hop asks Redis nothing. */
export class OutputCounter {
  private readonly rates: Pick<Rates, "countOutputs" | "countHandoffs">;
  private outputs = new Map<string, number>();
  private done = new Map<string, number>();
  private failed = new Map<string, number>();

  constructor(rates: Pick<Rates, "countOutputs" | "countHandoffs">) {
    this.rates = rates;
  }

  /** Counts one well-formed output. */
  count(producer: ProducerOfOutput): void {
    add(this.outputs, producerKey(producer), 1);
  }

  /** Counts the outcome of one handoff. */
  countHandoff({ isDone, ...pair }: HandoffPair & { readonly isDone: boolean }): void {
    add(isDone ? this.done : this.failed, pairKey(pair), 1);
  }

  /** Writes the counts; those that fail go with the next report. @throws {Error} Redis is unavailable. */
  async report(): Promise<void> {
    const { outputs, done, failed } = this;
    this.outputs = new Map();
    this.done = new Map();
    this.failed = new Map();
    const reports = await Promise.allSettled([
      keepOnFailure(this.rates.countOutputs({ good: outputs }), () => addAll(this.outputs, outputs)),
      keepOnFailure(this.rates.countHandoffs({ good: done, bad: failed }), () => {
        addAll(this.done, done);
        addAll(this.failed, failed);
      }),
    ]);
    const wrong = reports.find(({ status }) => status === "rejected");
    if (wrong?.status === "rejected") throw wrong.reason;
  }
}

async function keepOnFailure(report: Promise<void>, keep: () => void): Promise<void> {
  try {
    await report;
  } catch (error) {
    keep();
    throw error;
  }
}

function addAll(counts: Map<string, number>, more: ReadonlyMap<string, number>): void {
  for (const [key, count] of more) add(counts, key, count);
}

function add(counts: Map<string, number>, key: string, count: number): void {
  const place = counts.has(key) || counts.size < KEYS_MAX ? key : "others";
  counts.set(place, (counts.get(place) ?? 0) + count);
}

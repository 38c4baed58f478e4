import { now } from "#shared/clock";
import type { Spending } from "#shared/store/ledger";

interface Cost {
  readonly cost: number;
  readonly tokens: number;
}

const NOTHING: Cost = { cost: 0, tokens: 0 };

function microOf({ cost }: Cost): number {
  return Math.round(cost * 1_000_000);
}

/**
 * Sums the cost of one message over all deliveries, and the time that this delivery waited for models. A call in
 * progress counts with its upper bound, so that a delivery that ends before its answer is billed for it. Mutable:
 * model calls of one handler may overlap.
 */
export class Spent {
  private costMicro = 0;
  private used = 0;
  private readonly out = new Set<() => Cost>();
  private calls = 0;
  private underWay = 0;
  private busySinceMs = 0;
  private busyMs = 0;
  private answeredBy: string | null = null;

  add(call: Cost): void {
    this.costMicro += microOf(call);
    this.used += call.tokens;
  }

  /** Raises the sum to what was reported to the run before: calls without a record were billed, too. */
  raiseTo(billed: Spending): void {
    this.costMicro = Math.max(this.costMicro, billed.costMicro);
    this.used = Math.max(this.used, billed.tokens);
  }

  /** Opens the booking of one model call: an upper bound while it is in progress, then the actual cost. */
  book() {
    let bound: (() => Cost) | null = null;
    const close = (cost: Cost): void => {
      if (bound === null || !this.out.delete(bound)) return;
      this.add(cost);
    };
    return {
      /** Books the upper bound of a call that starts, and keeps that of one before. Without it, nothing is booked. */
      open: (atMost: () => Cost): void => {
        if (bound !== null) close(bound());
        bound = atMost;
        this.out.add(atMost);
      },
      /** Books the actual cost. Later corrections are ignored. */
      correct: close,
      /** Keeps the upper bound of a call without an answer, which may have been billed. Returns the booked cost. */
      keepAtMost: (): Cost => {
        const cost = bound?.() ?? NOTHING;
        close(cost);
        return cost;
      },
    };
  }

  /** Counts a call of this delivery and notes its model, and its time once, however many others run concurrently. */
  async timed<Answer extends { readonly model: string }>(call: () => Promise<Answer>): Promise<Answer> {
    this.calls += 1;
    if (this.underWay === 0) this.busySinceMs = now();
    this.underWay += 1;
    try {
      const answer = await call();
      this.answeredBy = answer.model;
      return answer;
    } finally {
      this.underWay -= 1;
      if (this.underWay === 0) this.busyMs += now() - this.busySinceMs;
    }
  }

  /**
   * Number of this delivery's model calls, including failed ones and re-asks, and the milliseconds in which at least
   * one was in progress, and the model of the latest answer. Recorded answers do not count. Empty without a call.
   */
  get asked(): { readonly model_calls?: number; readonly model_ms?: number; readonly model?: string } {
    if (this.calls === 0) return {};
    const model = this.answeredBy === null ? {} : { model: this.answeredBy };
    return { model_calls: this.calls, model_ms: this.busyMs, ...model };
  }

  /** Cost without calls in progress, whose upper bounds must not block concurrent calls. */
  get known(): Cost {
    return { cost: this.costMicro / 1_000_000, tokens: this.used };
  }

  get cost(): number {
    return this.toSpending().costMicro / 1_000_000;
  }

  get tokens(): number {
    return this.toSpending().tokens;
  }

  toSpending(): Spending {
    let { costMicro, used: tokens } = this;
    for (const atMost of this.out) {
      const bound = atMost();
      costMicro += microOf(bound);
      tokens += bound.tokens;
    }
    return { costMicro, tokens };
  }

  /** Returns what was added since `billed`, i.e. not reported to the run yet. */
  since(billed: Spending): { readonly cost: number; readonly tokens: number } {
    const { costMicro, tokens } = this.toSpending();
    return {
      cost: Math.max(0, costMicro - billed.costMicro) / 1_000_000,
      tokens: Math.max(0, tokens - billed.tokens),
    };
  }
}

import { now } from "#shared/clock";
import type { Spending } from "#shared/store/ledger";

interface Cost {
  readonly cost: number;
  readonly tokens: number;
}

/** One model call in the books: by what it can cost at most while it is out, then by what it did cost. */
export interface Booking {
  /** The call leaves. Without it, nothing is booked. */
  open(atMost: () => Cost): void;
  /** What the call cost is known. Later corrections are ignored. */
  correct(cost: Cost): void;
  /** The call brought nothing, and may have been paid for. Returns what stays booked for good. */
  keepAtMost(): Cost;
}

const NOTHING: Cost = { cost: 0, tokens: 0 };

function microOf({ cost }: Cost): number {
  return Math.round(cost * 1_000_000);
}

/**
 * What one message has cost so far, added up exactly, and what this delivery of it waited for models. A call that is
 * out counts by its upper bound: a delivery that ends before its answer comes has to be billed for it. Mutable: model
 * calls of one handler may overlap.
 */
export class Spent {
  private costMicro = 0;
  private used = 0;
  private readonly out = new Set<() => Cost>();
  private calls = 0;
  private underWay = 0;
  private busySinceMs = 0;
  private busyMs = 0;

  add(call: Cost): void {
    this.costMicro += microOf(call);
    this.used += call.tokens;
  }

  /** Raises the sum to what the run was told before: calls that left no record were billed, too. */
  raiseTo(billed: Spending): void {
    this.costMicro = Math.max(this.costMicro, billed.costMicro);
    this.used = Math.max(this.used, billed.tokens);
  }

  /** Starts the books of one call. */
  book(): Booking {
    let bound: (() => Cost) | null = null;
    const close = (cost: Cost): void => {
      if (bound === null || !this.out.delete(bound)) return;
      this.add(cost);
    };
    return {
      open: (atMost) => {
        bound = atMost;
        this.out.add(atMost);
      },
      correct: close,
      keepAtMost: () => {
        const cost = bound?.() ?? NOTHING;
        close(cost);
        return cost;
      },
    };
  }

  /** Counts a call of this delivery, and its time once, however many others run beside it. */
  async timed<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    this.calls += 1;
    if (this.underWay === 0) this.busySinceMs = now();
    this.underWay += 1;
    try {
      return await call();
    } finally {
      this.underWay -= 1;
      if (this.underWay === 0) this.busyMs += now() - this.busySinceMs;
    }
  }

  /**
   * This delivery's calls of models, failed ones and questions again included, and the milliseconds in which at least
   * one was under way. Recorded answers that were read again are none. Empty without a call.
   */
  get asked(): { readonly model_calls?: number; readonly model_ms?: number } {
    return this.calls === 0 ? {} : { model_calls: this.calls, model_ms: this.busyMs };
  }

  /** Without calls that are out: their bounds are no reason to refuse another call beside them. */
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

  /** What was added since `billed`: what the run has not been told yet. */
  since(billed: Spending): { readonly cost: number; readonly tokens: number } {
    const { costMicro, tokens } = this.toSpending();
    return {
      cost: Math.max(0, costMicro - billed.costMicro) / 1_000_000,
      tokens: Math.max(0, tokens - billed.tokens),
    };
  }
}

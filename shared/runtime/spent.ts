import { now } from "#shared/clock";
import type { Spending } from "#shared/store";

/**
 * What one message has cost so far, added up exactly, and what this delivery of it waited for models. Mutable: model
 * calls of one handler may overlap.
 */
export class Spent {
  private costMicro = 0;
  private used = 0;
  private calls = 0;
  private underWay = 0;
  private busySinceMs = 0;
  private busyMs = 0;

  add(call: { readonly cost: number; readonly tokens: number }): void {
    this.costMicro += Math.round(call.cost * 1_000_000);
    this.used += call.tokens;
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

  get cost(): number {
    return this.costMicro / 1_000_000;
  }

  get tokens(): number {
    return this.used;
  }

  toSpending(): Spending {
    return { costMicro: this.costMicro, tokens: this.used };
  }

  /** What was added since `billed`: what the run has not been told yet. */
  since(billed: Spending): { readonly cost: number; readonly tokens: number } {
    return {
      cost: Math.max(0, this.costMicro - billed.costMicro) / 1_000_000,
      tokens: Math.max(0, this.used - billed.tokens),
    };
  }
}

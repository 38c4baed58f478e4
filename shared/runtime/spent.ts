import type { Spending } from "#shared/store";

/** What one message has cost so far, added up exactly. Mutable: model calls of one handler may overlap. */
export class Spent {
  private costMicro = 0;
  private used = 0;

  add(call: { readonly cost: number; readonly tokens: number }): void {
    this.costMicro += Math.round(call.cost * 1_000_000);
    this.used += call.tokens;
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

import type { Context } from "#shared/runtime";

/** Default latency budget of a routing decision, in ms. */
export const ROUTING_BUDGET_MS = 200;

export interface RoutingTimes {
  /** Time from the handler's start to its decision, in ms. */
  readonly tookMs: number;
  /** The model's share of it, in ms. */
  readonly modelMs: number;
  /** Default 200 ms. */
  readonly budgetMs?: number;
}

/** Logs a routing decision that exceeded its latency budget, with the model's share. */
export function watchRouting(ctx: Pick<Context, "log">, times: RoutingTimes): void {
  const { tookMs, modelMs, budgetMs = ROUTING_BUDGET_MS } = times;
  const measured = { route_ms: tookMs, model_ms: modelMs, budget_ms: budgetMs };
  if (tookMs > budgetMs) ctx.log.warn(measured, "routing took longer than its budget");
  else ctx.log.debug(measured, "routed");
}

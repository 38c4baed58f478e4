import type { Context } from "#shared/runtime";

/** What a routing decision may take, in ms, from the message's arrival at the handler. */
export const ROUTING_BUDGET_MS = 200;

export interface RoutingTimes {
  /** From the handler's start to its decision, in ms. */
  readonly tookMs: number;
  /** Of which the model's, in ms. */
  readonly modelMs: number;
  /** Default 200 ms. */
  readonly budgetMs?: number;
}

/** Says in the log when a routing decision took longer than its budget, and how much of it was the model's. */
export function watchRouting(ctx: Pick<Context, "log">, times: RoutingTimes): void {
  const { tookMs, modelMs, budgetMs = ROUTING_BUDGET_MS } = times;
  const measured = { route_ms: tookMs, model_ms: modelMs, budget_ms: budgetMs };
  if (tookMs > budgetMs) ctx.log.warn(measured, "routing took longer than its budget");
  else ctx.log.debug(measured, "routed");
}

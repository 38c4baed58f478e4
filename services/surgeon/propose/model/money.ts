import { random } from "#shared/clock";
import { tenantOfUser } from "#shared/config";
import { checkBudget } from "#shared/envelope/limits";
import { SutureError } from "#shared/errors";
import { costOf, tokensAtMost } from "#shared/model";
import type { Reservation } from "#shared/store/cases";
import type { RepairContext } from "../../cases/repair-context.ts";
import type { Surgery } from "../../surgery.ts";
import { refuse } from "../procedure.ts";
import type { Proposal } from "../procedure.ts";

export const MICRO = 1_000_000;

/** Jitter: cases of many groups wait for the same hour and must not all return at once. */
const SPREAD_MS = 1000;

/** Upper bounds of a call, in tokens. */
export interface Estimate {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** Tokens of roles and separators. */
const OVERHEAD_TOKENS = 100;

/** @param texts - Everything sent. @param tokensMax - Limit of the answer. */
export function estimate(texts: readonly string[], tokensMax: number): Estimate {
  const input = texts.reduce((sum, text) => sum + tokensAtMost(text), OVERHEAD_TOKENS);
  return { input_tokens: input, output_tokens: tokensMax };
}

/** Checks the run's token budget, as before any model call. */
export function isAffordable(context: RepairContext): boolean {
  try {
    checkBudget(context.message.envelope.billing, { cost: 0, tokens: 0 });
    return true;
  } catch (error) {
    if (error instanceof SutureError) return false;
    throw error;
  }
}

/** One tenant's share of an hour's budget; all of it with one tenant. */
async function shareOf({ store, limits }: Surgery): Promise<number> {
  return (await store.whole.owners.tenants()).length > 1 ? limits.tenantShare : 1;
}

/** Reserves a call's cost within the limits of case, group and hour; otherwise returns what to do instead. */
export async function reserve(
  surgery: Surgery,
  context: RepairContext,
  usage: Estimate,
): Promise<{ readonly kind: "reserved"; readonly reservation: Reservation } | Proposal> {
  const { limits, model, prices, store, logger } = surgery;
  const { case_id: caseId, fingerprint } = context.stored;
  const tenant = tenantOfUser(context.message.envelope.user_context.user_id);
  // The limits of all surgeons and groups are held by each shard for its share of the cases.
  const shards = store.whole.shards.length;
  const hourMax = (limits.costPerHour / shards) * (await shareOf(surgery));
  const cost = costOf(model.modelFor("surgeon"), usage, prices);
  const reserved = await store.cases.costs.reserve({
    caseId,
    fingerprint,
    tenant,
    micro: Math.ceil(cost * MICRO),
    limits: {
      caseMicroMax: Math.round(limits.costPerCase * MICRO),
      hourMicroMax: Math.ceil((limits.costPerHour / shards) * MICRO),
      tenantMicroMax: Math.round(hourMax * MICRO),
      groupMicroMax: Math.ceil((limits.costPerGroup / shards) * MICRO),
    },
  });
  switch (reserved.kind) {
    case "reserved":
      return reserved;
    case "case":
      return refuse("What may be spent on this case does not cover a model's answer.");
    case "group":
      return refuse("What may be spent on its group does not cover a model's answer.");
    case "hour": {
      // Waiting cannot help a call that exceeds every hour's budget.
      if (cost > hourMax) return refuse("What may be spent in an hour does not cover a model's answer.");
      const { retryAfterMs } = reserved;
      logger.warn(
        { case_id: caseId, fingerprint, tenant, limit_usd: limits.costPerHour, retry_after_ms: retryAfterMs },
        "what surgery may cost in this hour is spent: cases wait for the next",
      );
      const reason = "What may be spent in this hour is spent; it goes on in the next.";
      return { kind: "wait", delayMs: retryAfterMs + SPREAD_MS * random(), reason };
    }
    default:
      return reserved satisfies never;
  }
}

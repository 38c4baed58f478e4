import type { Config } from "#shared/config";
import { isPriced, PRICES_DEFAULT } from "#shared/model";
import type { ModelTier } from "#shared/model";
import type { Advice, ModelReport } from "./report.ts";

export const TIERS = ["router", "worker", "surgeon"] as const satisfies readonly ModelTier[];

/** Returns the settings that what was seen of a tier's model speaks for. Pure. */
export function advise(
  tier: ModelTier,
  report: ModelReport,
  config: Pick<Config, "modelRoom" | "modelPrices" | "modelTimeoutMs" | "isRehearsal">,
): readonly Advice[] {
  const prefix = `SUTURE_MODEL_${tier.toUpperCase()}`;
  const { effort, tokens } = config.modelRoom.reasoning[tier];
  const { features, latency, model, reasoningTokens } = report;
  const advice: Advice[] = [];
  const add = (when: boolean, setting: string, why: string): void => {
    if (when) advice.push({ setting, why });
  };
  const refusesEffort = features.reasoning_effort === "refused";
  add(
    effort !== null && refusesEffort,
    `${prefix}_EFFORT=`,
    "the model takes no effort: each process asks in vain once",
  );
  add(
    effort === null && reasoningTokens !== null && features.reasoning_effort === "yes",
    `${prefix}_EFFORT=low`,
    "the model reasons: a set effort keeps it short, and makes room for it from the first call",
  );
  const needed = reasoningTokens === null ? 0 : 2 ** Math.ceil(Math.log2(Math.max(1, reasoningTokens * 2)));
  add(
    reasoningTokens !== null && needed > tokens,
    `${prefix}_REASONING_TOKENS=${needed}`,
    `it reasoned for ${reasoningTokens ?? 0} tokens about a small question`,
  );
  add(
    latency !== null && latency.p95 > config.modelTimeoutMs / 4,
    `SUTURE_MODEL_TIMEOUT_MS=${Math.ceil((latency?.p95 ?? 0) / 1000) * 8000}`,
    "small questions took more than a quarter of the time limit",
  );
  const prices = { ...PRICES_DEFAULT, ...config.modelPrices };
  const isUnpriced = !config.isRehearsal && !isPriced(model, prices);
  add(
    isUnpriced,
    `SUTURE_MODEL_PRICES={"${model}":{"input":…,"cached":…,"output":…}}`,
    "its price is not known: it counts as the dearest, and budgets end runs too early",
  );
  add(
    !isUnpriced &&
      features["cached tokens"] === "yes" &&
      prices[model]?.cached === undefined &&
      model in prices,
    `SUTURE_MODEL_PRICES: "cached" of ${model}`,
    "it reads input from its cache, and no price for that is known",
  );
  return advice;
}

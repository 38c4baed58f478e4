import { ConfigError } from "#shared/config";
import type { Config } from "#shared/config";
import { storeSettings } from "#shared/store";
import type { StoreOptions } from "#shared/store";
import { SURGERY_LIMITS_DEFAULT } from "./surgery.ts";
import type { SurgeryLimits } from "./surgery.ts";

const HOUR_MS = 3_600_000;

/** Returns the store's options from the configuration. @throws {ConfigError} No Redis is configured. */
export function storeOptions(config: Config): Omit<StoreOptions, "onError"> {
  if (config.redisUrl === null) {
    throw new ConfigError([
      {
        variable: "REDIS_URL",
        problem: "must be set for a single service",
        example: "redis://127.0.0.1:6379",
      },
    ]);
  }
  return { ...storeSettings(config, config.redisUrl), role: "worker" };
}

export function surgeryLimits(config: Config): SurgeryLimits {
  return {
    ...SURGERY_LIMITS_DEFAULT,
    costPerCase: config.surgeonCostPerCase,
    costPerHour: config.surgeonCostPerHour,
    tenantShare: config.tenantShare,
    costPerGroup: config.surgeonCostPerGroup,
    recipeProofs: config.recipeProofs,
    recipeProducers: config.recipeProducers,
    resendDelayMs: config.surgeonResendMs,
    crashesMax: config.crashesMax,
    modelTimeoutMs: config.modelTimeoutMs,
    retentionMs: config.retentionHours * HOUR_MS,
  };
}

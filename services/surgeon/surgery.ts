import type { Logger } from "pino";
import type { Keyring } from "#shared/envelope/keys";
import type { ModelClient, PriceTable } from "#shared/model";
import type { Team } from "#shared/runtime";
import type { Store } from "#shared/store";
import type { RecipeStore } from "#shared/store/cases";
import type { Counter, Histogram, Metrics } from "#shared/telemetry";
import type { RecipeCache } from "./recipes/recipe-cache.ts";

export interface SurgeryLimits {
  /** USD that the ladder may spend on one case. Default 0.10. */
  readonly costPerCase: number;
  /** USD that all surgeons together may spend in one hour. Default 5. */
  readonly costPerHour: number;
  /** Share of it for one tenant when there are several, 0 to 1. Default 0.5. */
  readonly tenantShare: number;
  /** USD that the ladder may spend on all cases of one group, while the group is kept. Default 1. */
  readonly costPerGroup: number;
  /** Model calls at once for one group whose last repair gave no recipe; before that, one. Default 4. */
  readonly callsPerGroup: number;
  /** Other messages that a recipe heals with proof before it is trusted. Default 3. */
  readonly recipeProofs: number;
  /** Producers whose repairs have to come to the same recipe before it is trusted, or given up. Default 2. */
  readonly recipeProducers: number;
  /**
   * Messages of one producer that a recipe healed and that came back, with which it is no longer applied to the
   * messages of that producer, unless it healed a hundred for each. Default 3.
   */
  readonly recipeFailuresMax: number;
  /** Time before a message goes on as it stands, in ms; ten times as long if it dies again. Default 30,000. */
  readonly resendDelayMs: number;
  /** Crashes or stalls over one case after which it is quarantined. Default 3. */
  readonly crashesMax: number;
  /** One model call's time in ms. Default 60,000. */
  readonly modelTimeoutMs: number;
  /**
   * Maximum length of a case's subject (the payload or the answer to repair) that a model is shown, in characters; a
   * longer one waits for a person. Default 60,000.
   */
  readonly subjectCharsMax: number;
  /** Minimum wait of a case when the endpoint is down, in ms. Default 5,000. */
  readonly waitMsMin: number;
  /** How long closed cases are kept, in ms. Default 48 hours. */
  readonly retentionMs: number;
  /** How long a case may lie without a live job before upkeep calls the surgeon again, in ms. Default 10,000. */
  readonly jobMissingMs: number;
}

export const SURGERY_LIMITS_DEFAULT: SurgeryLimits = {
  costPerCase: 0.1,
  costPerHour: 5,
  tenantShare: 0.5,
  costPerGroup: 1,
  callsPerGroup: 4,
  recipeProofs: 3,
  recipeProducers: 2,
  recipeFailuresMax: 3,
  resendDelayMs: 30_000,
  crashesMax: 3,
  modelTimeoutMs: 60_000,
  subjectCharsMax: 60_000,
  waitMsMin: 5000,
  retentionMs: 48 * 3_600_000,
  jobMissingMs: 10_000,
};

/** Dependencies and limits of the surgeon's process, shared by all cases. */
export interface Surgery {
  readonly store: Store;
  /** To sign for every agent, and to verify what every agent admits to the ward. */
  readonly keyring: Keyring;
  readonly teams: readonly Team[];
  readonly model: ModelClient;
  readonly prices: PriceTable;
  readonly logger: Logger;
  /** Default: nothing is measured. */
  readonly metrics?: SurgeryMetrics;
  readonly limits: SurgeryLimits;
  /** The ward's recipes. */
  readonly recipes: RecipeStore;
  /** The recipes that the ladder may apply. */
  readonly recipeCache: RecipeCache;
  /** Aborted when the process stops and the grace period of running operations is over. */
  readonly stopping: AbortSignal;
}

/** Metrics of a surgeon's process. */
interface SurgeryMetrics {
  readonly seconds: Histogram;
  readonly repairs: Counter;
}

export function measureSurgery(metrics: Metrics): SurgeryMetrics {
  return {
    seconds: metrics.histogram({
      name: "suture_surgery_seconds",
      help: "Time of one stay of a case with the surgeon, by what became of it.",
      labels: ["outcome"],
    }),
    repairs: metrics.counter({
      name: "suture_repairs_total",
      help: "Repairs that were proved and sent, by the agent they went to and the procedure that made them.",
      labels: ["agent", "procedure"],
    }),
  };
}

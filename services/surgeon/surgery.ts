import type { Logger } from "pino";
import type { Archive } from "#shared/archive";
import type { Config } from "#shared/config";
import type { Keyring } from "#shared/envelope/keys";
import type { ModelClient, PriceTable } from "#shared/model";
import type { Team } from "#shared/runtime";
import type { Store } from "#shared/store";
import type { RecipeStore } from "#shared/store/cases";
import type { Counter, Histogram, Metrics } from "#shared/telemetry";
import type { RecipeCache } from "./recipes/recipe-cache.ts";

/** Limits that no setting changes. */
const FIXED_LIMITS = {
  /** Model calls at once for one group whose last repair gave no recipe; before that, one. */
  callsPerGroup: 4,
  /** Minimum wait of a case when the endpoint is down, in ms. */
  waitMsMin: 5000,
  /** Time without a live job after which upkeep calls the surgeon for a case again, in ms. */
  jobMissingMs: 10_000,
};

const HOUR_MS = 3_600_000;

/** Returns the settings of surgery, with the limits that have none. Closed cases are kept for `retentionMs`, in ms. */
export function surgeryLimits(config: Config) {
  return { ...config, ...FIXED_LIMITS, retentionMs: config.retentionHours * HOUR_MS };
}

export type SurgeryLimits = Readonly<ReturnType<typeof surgeryLimits>>;

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
  /** The archive to which closed cases move. Null, the default: they are deleted when their retention is over. */
  readonly archive?: Archive | null;
  /** Aborted when the process stops and the grace period of running operations is over. */
  readonly stopping: AbortSignal;
}

/** Metrics of a surgeon's process. */
interface SurgeryMetrics {
  readonly seconds: Histogram<"outcome">;
  readonly repairs: Counter<"agent" | "procedure">;
}

export function measureSurgery(metrics: Metrics): SurgeryMetrics {
  return {
    seconds: metrics.histogram(
      "suture_surgery_seconds",
      "Time of one stay of a case with the surgeon, by what became of it.",
      ["outcome"],
    ),
    repairs: metrics.counter(
      "suture_repairs_total",
      "Repairs that were proved and sent, by the agent they went to and the procedure that made them.",
      ["agent", "procedure"],
    ),
  };
}

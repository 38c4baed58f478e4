import type { Config } from "#shared/config";
import { serveHealth } from "#shared/http";
import { judgeStore } from "#shared/store";
import type { Store } from "#shared/store";
import { exposeProcess } from "#shared/telemetry";
import type { Logger, Metrics } from "#shared/telemetry";

export interface HealthParts {
  readonly config: Pick<Config, "healthHost" | "healthPort" | "redisMemoryShare">;
  readonly store: Store;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Returns `held` while the process takes no jobs because of clock skew. Default: it has no consumers. */
  readonly state?: () => "working" | "held";
}

/** The health server of a process, or a no-op without a port. */
export interface OpenHealth {
  /** Reports from now on that the process is stopping. */
  stopping(): void;
  close(): Promise<void>;
}

/** Serves health and metrics if a port is set. Ready while Redis answers in a second, jobs are taken, no stop began. */
export async function openHealth({ config, ...parts }: HealthParts): Promise<OpenHealth> {
  if (config.healthPort === null) return { stopping: () => undefined, close: () => Promise.resolve() };
  let isStopping = false;
  exposeProcess(parts.metrics);
  const server = await serveHealth({
    host: config.healthHost,
    port: config.healthPort,
    metrics: parts.metrics,
    judge: async () => {
      if (isStopping) return "stopping";
      if (parts.state?.() === "held") return "clock_differs";
      return judgeStore(parts.store, { memoryShareMax: config.redisMemoryShare });
    },
  });
  parts.logger.info({ health_url: server.url }, "health and metrics are served");
  return {
    stopping: () => void (isStopping = true),
    close: () => server.stop(),
  };
}

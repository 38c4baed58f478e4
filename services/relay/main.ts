import { loadConfig } from "#shared/config";
import { armCrashPoint } from "#shared/crash-points";
import { createLogger, startTracing } from "#shared/telemetry";

const config = loadConfig();
armCrashPoint(config.crashPoint);
const tracing = await startTracing({ service: "relay", otlpEndpoint: config.otlpEndpoint });
// Imported after tracing is set up, which instruments only modules loaded later.
const { openRelay } = await import("./open-relay.ts");

const logger = createLogger({ service: "relay", level: config.logLevel });
if (config.unknownVariables.length > 0)
  logger.warn({ variables: config.unknownVariables }, "unknown variables are set");
const relay = await openRelay(config, logger);
logger.info({ agents: relay.agents }, "relay at work");

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => {
    setTimeout(() => process.exit(1), config.stopGraceMs).unref();
    void relay
      .stop()
      .then(() => tracing.shutdown())
      .then(() => logger.info("relay stopped"));
  });
}

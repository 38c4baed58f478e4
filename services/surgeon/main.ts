import { loadConfig } from "#shared/config";
import { armCrashPoint } from "#shared/crash-points";
import { createLogger, startTracing } from "#shared/telemetry";

const config = loadConfig();
armCrashPoint(config.crashPoint);
const tracing = await startTracing({ service: "surgeon", otlpEndpoint: config.otlpEndpoint });
// Imported after tracing has begun, which instruments only what is loaded later.
const { openSurgeon } = await import("./open-surgeon.ts");

const logger = createLogger({ service: "surgeon", level: config.logLevel });
if (config.unknownVariables.length > 0)
  logger.warn({ variables: config.unknownVariables }, "unknown variables are set");
const surgeon = await openSurgeon(config, logger);
logger.info("surgeon at work");

// A surgeon whose consumers are stuck has nothing to finish: exit, and let the supervisor restart it.
surgeon.failed.catch((error: unknown) => {
  logger.fatal({ err: error }, "the process ends");
  process.exit(1);
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => {
    void surgeon
      .stop(config.stopGraceMs)
      .then(() => tracing.shutdown())
      .then(() => logger.info("surgeon stopped"));
  });
}

import { loadConfig } from "#shared/config";
import { armCrashPoint } from "#shared/crash-points";
import { createLogger, startTracing } from "#shared/telemetry";

const FAILED_STOP_MS = 5000;
const config = loadConfig();
armCrashPoint(config.crashPoint);
const tracing = await startTracing({ service: "bridge", otlpEndpoint: config.otlpEndpoint });
// Imported after tracing has begun, which instruments only what is loaded later.
const { openBridge } = await import("./open-bridge.ts");

const logger = createLogger({ service: "bridge", level: config.logLevel });
if (config.unknownVariables.length > 0)
  logger.warn({ variables: config.unknownVariables }, "unknown variables are set");
const bridge = await openBridge(config, logger);
const { cluster, peers } = config.bridge;
logger.info(
  { cluster, url: bridge.url, status_url: bridge.statusUrl, peers: peers.map((peer) => peer.cluster) },
  "bridge at work",
);

// A bridge whose consumers are stuck has nothing to finish: exit, and let the supervisor restart it.
bridge.failed.catch(async (error: unknown) => {
  logger.fatal({ err: error }, "the process ends");
  setTimeout(() => process.exit(1), FAILED_STOP_MS).unref();
  await bridge.stop(0).catch(() => undefined);
  process.exit(1);
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => void bridge.stop(config.stopGraceMs).then(() => tracing.shutdown()));
}

import { loadConfig } from "#shared/config";
import { armCrashPoint } from "#shared/crash-points";
import { createLogger, startTracing } from "#shared/telemetry";

// A process of agents: node --disable-sigusr1 services/agents/main.ts AGENT…
// Without names it works for every agent of every team.
/** Time that closing gets beyond the grace, in ms: Redis may be gone, and closing waits for it. */
const FAILED_CLOSE_MS = 5000;
const config = loadConfig();
armCrashPoint(config.crashPoint);
const tracing = await startTracing({ service: "agents", otlpEndpoint: config.otlpEndpoint });
// Imported after tracing has begun, which watches only what is loaded later.
const { openAgents } = await import("./open-agents.ts");

const logger = createLogger({ service: "agents", level: config.logLevel });
if (config.unknownVariables.length > 0) {
  logger.warn({ variables: config.unknownVariables }, "unknown variables are set");
}
const open = await openAgents(config, process.argv.slice(2), logger);
logger.info({ agents: open.agents }, "agents at work");

// What fetches nothing has nothing to finish: the supervisor starts a process that does.
open.failed.catch(async (error: unknown) => {
  logger.fatal({ err: error }, "the process ends");
  process.exitCode = 1;
  setTimeout(() => process.exit(1), FAILED_CLOSE_MS).unref();
  await open.close(0).catch(() => undefined);
  process.exit(1);
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => {
    setTimeout(() => {
      logger.error("the process could not close in time and ends: what it held is taken over");
      process.exit(1);
    }, config.stopGraceMs + FAILED_CLOSE_MS).unref();
    void open
      .close(config.stopGraceMs)
      .then(() => tracing.shutdown())
      .then(() => logger.info({ agents: open.agents }, "agents stopped"));
  });
}

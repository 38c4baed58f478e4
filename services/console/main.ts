import { loadConfig } from "#shared/config";
import { startTracing } from "#shared/telemetry";

const config = loadConfig();
const tracing = await startTracing({ service: "console", otlpEndpoint: config.otlpEndpoint });
// Imported after tracing has begun, which watches only what is loaded later.
const { openHealth } = await import("#shared/runtime/process");
const { openConsole } = await import("./open-console.ts");
const { startConsole } = await import("./server.ts");

const parts = await openConsole(config);
const running = await startConsole(parts, { host: config.consoleHost, port: config.consolePort });
const health = await openHealth({ config, ...parts });
parts.logger.info({ url: running.url }, "console listens");

function stop(): void {
  health.stopping();
  void running
    .stop(config.stopGraceMs)
    .then(() => parts.close())
    .then(() => health.close())
    .then(() => tracing.shutdown());
}
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
// A launcher that died can no longer stop its children.
process.once("disconnect", stop);

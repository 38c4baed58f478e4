import { armCrashPoint } from "#shared/crash-points";
import { startTracing } from "#shared/telemetry";
import { loadGatewayConfig } from "./secrets/load-gateway-config.ts";

const config = await loadGatewayConfig();
armCrashPoint(config.crashPoint);
const tracing = await startTracing({ service: "gateway", otlpEndpoint: config.otlpEndpoint });
// Imported after tracing has begun, which watches only what is loaded later.
const { openParts } = await import("./open-parts.ts");
const { startGateway } = await import("./server.ts");

const parts = await openParts(config);
const gateway = await startGateway(parts, { host: config.gatewayHost, port: config.gatewayPort });
parts.logger.info({ url: gateway.url, teams: parts.teams.map((team) => team.name) }, "gateway listens");

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => {
    void gateway
      .stop(config.stopGraceMs)
      .then(() => parts.close())
      .then(() => tracing.shutdown());
  });
}

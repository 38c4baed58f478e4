// Imported only when tracing is on: these packages take half a second and 30 MB to load.
import { readFileSync } from "node:fs";
import { getNodeAutoInstrumentations } from "@opentelemetry/auto-instrumentations-node";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { NodeSDK } from "@opentelemetry/sdk-node";
import { z } from "zod";

/** Tracing as it runs in this process. */
export interface Tracing {
  /** Sends what is left and ends. Never rejects: a collector that is away must not turn a clean stop into a crash. */
  shutdown(): Promise<void>;
}

/** Spans of BullMQ's own timers: each would be a trace of its own, several a second, that tells nobody anything. */
const NOISE = new Set(["startStalledCheckTimer", "moveStalledJobsToWait", "extendLocks", "close"]);

/** For one batch, repeats included. A collector that is away must not use up the time that a stop has. */
const EXPORT_TIMEOUT_MS = 3000;

class QuietExporter extends OTLPTraceExporter {
  override export(...[spans, done]: Parameters<OTLPTraceExporter["export"]>): void {
    super.export(
      spans.filter((span) => !NOISE.has(span.name)),
      done,
    );
  }
}

/** Starts OpenTelemetry by OTLP over HTTP, as `OTEL_*` says; traces only. @param service - `service.name`. */
export function startTracingSdk(service: string): Tracing {
  // OpenTelemetry can be told this only here. Its default adds the whole command line, which may hold a secret.
  process.env["OTEL_NODE_RESOURCE_DETECTORS"] ??= "env,host,serviceinstance";
  const named = process.env["OTEL_RESOURCE_ATTRIBUTES"] ?? "";
  // Its own version wins where whoever starts the process gives one.
  if (!named.includes("service.version="))
    process.env["OTEL_RESOURCE_ATTRIBUTES"] =
      `service.version=${readVersion()}${named === "" ? "" : `,${named}`}`;
  const sdk = new NodeSDK({
    serviceName: service,
    traceExporter: new QuietExporter({ timeoutMillis: EXPORT_TIMEOUT_MS }),
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [
      getNodeAutoInstrumentations({
        "@opentelemetry/instrumentation-fs": { enabled: false },
        "@opentelemetry/instrumentation-dns": { enabled: false },
        "@opentelemetry/instrumentation-net": { enabled: false },
        // The logger adds trace ids itself.
        "@opentelemetry/instrumentation-pino": { enabled: false },
        // `shared/model` makes the span of a model call itself, without its content.
        "@opentelemetry/instrumentation-openai": { enabled: false },
      }),
    ],
  });
  sdk.start();
  return { shutdown: () => sdk.shutdown().catch(() => undefined) };
}

/** Returns the version of this copy of Suture. */
function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

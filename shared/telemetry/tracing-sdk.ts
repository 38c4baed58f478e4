// Imported only when tracing is on: these packages take a second and 30 MB to load.
import { getNodeAutoInstrumentations } from "@opentelemetry/auto-instrumentations-node";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { NodeSDK } from "@opentelemetry/sdk-node";
import { createSampler } from "./drop-noise-sampler.ts";

export interface TracingSdk {
  /** Sends what is left and ends. Never rejects: a collector that is away must not turn a clean stop into a crash. */
  shutdown(): Promise<void>;
}

/**
 * Starts OpenTelemetry with OTLP over HTTP; endpoint, headers and resource are the standard `OTEL_*` variables.
 *
 * @param service - `service.name`, unless `OTEL_SERVICE_NAME` is set. undefined leaves it to that variable.
 */
export function startTracingSdk(service?: string): TracingSdk {
  const sdk = new NodeSDK({
    ...(service === undefined ? {} : { serviceName: service }),
    traceExporter: new OTLPTraceExporter(),
    sampler: createSampler(),
    // Detectors of clouds would ask metadata servers that are not there.
    autoDetectResources: false,
    instrumentations: [
      getNodeAutoInstrumentations({
        "@opentelemetry/instrumentation-fs": { enabled: false },
        "@opentelemetry/instrumentation-dns": { enabled: false },
        "@opentelemetry/instrumentation-net": { enabled: false },
        // The logger adds trace ids itself.
        "@opentelemetry/instrumentation-pino": { enabled: false },
      }),
    ],
  });
  sdk.start();
  return { shutdown: () => sdk.shutdown().catch(() => undefined) };
}

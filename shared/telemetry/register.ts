// For `node --import ./shared/telemetry/register.ts <service>`: starts tracing before anything else is loaded. Whoever
// starts the process adds this only when OTEL_EXPORTER_OTLP_ENDPOINT is set; the name comes from OTEL_SERVICE_NAME.
import { startTracingSdk } from "./tracing-sdk.ts";

const tracing = startTracingSdk();

// Spans that wait for their batch would be lost at the end. The event comes again after each await that it causes.
process.once("beforeExit", () => void tracing.shutdown());

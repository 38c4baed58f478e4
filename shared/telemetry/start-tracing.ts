import type { Tracing } from "./tracing-sdk.ts";

export interface TracingOptions {
  readonly service: string;
  /** `config.otlpEndpoint`; with null nothing is loaded, and spans record nothing. */
  readonly otlpEndpoint: string | null;
}

/** Starts tracing if an endpoint is set. Call it before the service is imported: `node:http` is watched only then. */
export async function startTracing({ service, otlpEndpoint }: TracingOptions): Promise<Tracing> {
  if (otlpEndpoint === null) return { shutdown: () => Promise.resolve() };
  const { startTracingSdk } = await import("./tracing-sdk.ts");
  return startTracingSdk(service);
}

import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { METRICS_CONTENT_TYPE } from "#shared/telemetry";
import type { Metrics } from "#shared/telemetry";
import { tellTakenPort } from "./errors.ts";

export interface HealthOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly metrics: Metrics;
  /** Returns `ready`, or in one word why the process can do no work now. Has to answer within a few seconds. */
  readonly judge: () => Promise<string>;
}

export interface HealthServer {
  /** `http://host:port`. */
  readonly url: string;
  stop(): Promise<void>;
}

const REQUEST_MS = 5000;
const CONNECTIONS_MAX = 50;

/** Serves `/healthz`, `/readyz` and `/metrics` over plain HTTP, without secrets. @throws {PortTakenError} */
export async function serveHealth(options: HealthOptions): Promise<HealthServer> {
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS },
    (request, response) => {
      answer(options, request, response).catch(() => response.destroy());
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  const { port: wanted, host } = options;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(wanted, host, resolve);
  }).catch(tellTakenPort({ service: "health server", port: wanted, variable: "SUTURE_HEALTH_PORT" }));
  // A server that listens on a host and port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  { metrics, judge }: HealthOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? "").split("?")[0];
  if (request.method !== "GET" && request.method !== "HEAD")
    return send(response, 405, { status: "not_allowed" });
  if (path === "/healthz") return send(response, 200, { status: "ok" });
  if (path === "/readyz") {
    const status = await judge();
    return send(response, status === "ready" ? 200 : 503, { status });
  }
  if (path !== "/metrics") return send(response, 404, { status: "not_found" });
  response.writeHead(200, { "content-type": METRICS_CONTENT_TYPE });
  response.end(await metrics.render());
}

function send(response: ServerResponse, status: number, body: { readonly status: string }): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

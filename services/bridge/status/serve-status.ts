import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { sleep } from "#shared/clock";
import type { Store } from "#shared/store";
import { METRICS_CONTENT_TYPE } from "#shared/telemetry";
import type { Metrics } from "#shared/telemetry";

export interface StatusOptions {
  readonly host: string;
  readonly port: number;
  readonly store: Store;
  readonly metrics: Metrics;
  /** Whether the bridge begins to stop. */
  readonly isStopping: () => boolean;
}

export interface StatusServer {
  readonly url: string;
  stop(): Promise<void>;
}

const REQUEST_MS = 5000;
const ANSWER_WITHIN_MS = 1000;
const CONNECTIONS_MAX = 50;

/** `/healthz`, `/readyz` and `/metrics`, over plain HTTP/1 for probes and Prometheus. Nothing else, and no secret. */
export async function serveStatus(options: StatusOptions): Promise<StatusServer> {
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS },
    (request, response) => {
      answer(options, request, response).catch(() => response.destroy());
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  // A server that listens on a host and port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host}:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  options: StatusOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? "").split("?")[0];
  if (request.method !== "GET" && request.method !== "HEAD")
    return send(response, 405, { status: "not_allowed" });
  if (path === "/healthz") return send(response, 200, { status: "ok" });
  if (path === "/readyz") {
    const status = options.isStopping() ? "stopping" : await judge(options.store);
    return send(response, status === "ready" ? 200 : 503, { status });
  }
  if (path !== "/metrics") return send(response, 404, { status: "not_found" });
  response.writeHead(200, { "content-type": METRICS_CONTENT_TYPE });
  response.end(await options.metrics.render());
}

/** A link that is down is no reason to be sent no requests: the other side may still reach us. */
async function judge(store: Store): Promise<"ready" | "store_unreachable" | "replicas_missing"> {
  const giveUp = new AbortController();
  const isReached = await Promise.race([
    store.runs.counts().then(
      () => true,
      () => false,
    ),
    sleep(ANSWER_WITHIN_MS, giveUp.signal).then(
      () => false,
      () => false,
    ),
  ]);
  giveUp.abort();
  if (!isReached) return "store_unreachable";
  return (await store.confirmation.hasReplicas()) ? "ready" : "replicas_missing";
}

function send(response: ServerResponse, status: number, body: { readonly status: string }): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

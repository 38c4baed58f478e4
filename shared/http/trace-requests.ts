import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { markFailed, parseTraceparent, startSpan, traceparentOf } from "#shared/telemetry";
import type { Metrics } from "#shared/telemetry";

/** The trace of one request. */
export interface RequestTrace {
  readonly traceId: string;
  /** W3C trace context that what follows from this request goes on with. */
  readonly traceparent: string;
  end(status: number): void;
}

/** From here on a request is slow, in ms. */
const SLOW_MS = 1000;

const traces = new WeakMap<FastifyRequest, RequestTrace>();

/** Undefined for what failed before it was a request of ours. */
export function traceOf(request: FastifyRequest): RequestTrace | undefined {
  return traces.get(request);
}

/** Times requests in server spans; logs faults and slow ones, at debug the rest; never body or address. */
export function traceRequests(app: FastifyInstance, logger: Logger, metrics: Metrics): void {
  const seconds = metrics.histogram("suture_http_request_seconds", "Time to answer a request.", [
    "method",
    "route",
    "status",
  ]);
  app.addHook("onRequest", async (request) => {
    traces.set(request, begin(request));
  });
  app.addHook("onError", async (request, _reply, error) => {
    logger.debug({ err: error, trace_id: traceOf(request)?.traceId }, "request refused");
  });
  app.addHook("onResponse", async (request, reply) => {
    const trace = traceOf(request);
    trace?.end(reply.statusCode);
    // Few values, and nothing private: the route's pattern, never the address itself.
    const facts = { method: request.method, route: routeOf(request), status: String(reply.statusCode) };
    seconds.observe(facts, reply.elapsedTime / 1000);
    const level = reply.statusCode >= 500 ? "warn" : isSlow(request, reply) ? "info" : "debug";
    logger[level]({ ...facts, ms: Math.round(reply.elapsedTime), trace_id: trace?.traceId }, "request");
  });
}

/** Streams, and requests that ask to wait, take as long as they are to. */
function isSlow(request: FastifyRequest, reply: FastifyReply): boolean {
  const isStream = String(reply.getHeader("content-type") ?? "").startsWith("text/event-stream");
  const isWaiting = /[?&]wait=/.test(request.url);
  return reply.elapsedTime >= SLOW_MS && !isStream && !isWaiting;
}

function begin(request: FastifyRequest): RequestTrace {
  const header = request.headers["traceparent"];
  const incoming = typeof header === "string" && parseTraceparent(header) !== null ? header : undefined;
  const route = routeOf(request);
  const span = startSpan(`${request.method} ${route}`, {
    kind: "server",
    attributes: { "http.request.method": request.method, "http.route": route },
    ...(incoming === undefined ? {} : { parent: incoming }),
  });
  return {
    traceId: span.spanContext().traceId,
    traceparent: traceparentOf(span),
    end: (status) => {
      span.setAttribute("http.response.status_code", status);
      if (status >= 500) markFailed(span, new Error("answered with a server error"));
      span.end();
    },
  };
}

function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? "unknown";
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Socket } from "node:net";
import { MethodNotAllowedError, RouteUnknownError } from "../errors.ts";
import { traceOf } from "./trace-requests.ts";
import { problemOf, PROBLEM_TYPE, toProblem } from "./problem.ts";
import type { Gateway } from "../gateway.ts";
import { canReachStore } from "../runs/reach-store.ts";
import { StoreUnavailableError } from "#shared/store";

/** Methods by address, as the table of operations has them. */
export interface Address {
  readonly method: string;
  readonly path: string;
}

/** Gives every failure one form: errors, unknown addresses, wrong methods. */
export function answerProblems(app: FastifyInstance, gateway: Gateway, addresses: readonly Address[]): void {
  app.setErrorHandler(async (error, request, reply) => {
    const told = await nameOutage(error, gateway);
    return sendProblem(told, request, reply, gateway);
  });
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsAt(addresses, request.url);
    const error = allowed.length > 0 ? new MethodNotAllowedError(allowed) : new RouteUnknownError();
    return sendProblem(error, request, reply, gateway);
  });
}

/** A client library's error says by text only that Redis is away. Redis itself is asked instead. */
async function nameOutage(error: unknown, gateway: Gateway): Promise<unknown> {
  if (toProblem(error, null).problem.status !== 500 || (await canReachStore(gateway))) return error;
  return new StoreUnavailableError("answering a request", error);
}

/** Answers with a problem; what is our fault is logged with its reason. */
export function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  gateway: Gateway,
): FastifyReply {
  const traceId = traceOf(request)?.traceId ?? null;
  const { problem, headers } = toProblem(error, traceId);
  if (problem.status === 500) gateway.logger.error({ err: error, trace_id: traceId }, "a request failed");
  // Two requests on one connection could no longer be told apart after a body that was not read to its end.
  if (problem.status === 413 || problem.status === 415) void reply.header("connection", "close");
  return reply.code(problem.status).headers(headers).type(PROBLEM_TYPE).send(JSON.stringify(problem));
}

function methodsAt(addresses: readonly Address[], url: string): string[] {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  const found = addresses.filter((address) => isMatch(address.path, path)).map((address) => address.method);
  return [...new Set(found)].toSorted();
}

/** `:name` stands for one part of a path. */
function isMatch(pattern: string, path: string): boolean {
  const wanted = pattern.split("/");
  const given = path.split("/");
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => (part.startsWith(":") ? given[index] !== "" : part === given[index]))
  );
}

const STATUS_OF_SOCKET_ERROR: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers what is not HTTP, or too slow, or has too large a head: there is no request yet, only a socket. */
export function answerBrokenRequest(error: Error & { readonly code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const status = STATUS_OF_SOCKET_ERROR[error.code ?? ""] ?? 400;
  const code = status === 408 ? "request_timed_out" : status === 431 ? "headers_too_large" : "malformed_http";
  const detail = "The request could not be read as HTTP in time and within the bounds.";
  const body = JSON.stringify(problemOf({ status, code, detail, errors: [], traceId: null }));
  socket.end(
    `HTTP/1.1 ${status} ${code}\r\ncontent-type: ${PROBLEM_TYPE}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { Logger } from "pino";
import { MethodNotAllowedError, RouteUnknownError } from "./errors.ts";
import { problemOf, PROBLEM_TYPE, toProblem } from "./problem.ts";
import type { Problem, ProblemAnswer, ProblemFacts } from "./problem.ts";
import type { AttemptedRequest, ToldProblem } from "./record-refusals.ts";
import { traceOf } from "./trace-requests.ts";

export interface ProblemOptions extends Omit<ProblemFacts, "traceId"> {
  readonly logger: Logger;
  /**
   * Asked about an error of a handler that would be answered with 500; gives the error that it really is, such as a
   * store that is away, or the same one. What it throws itself is left aside. Default: the error stays what it is.
   */
  readonly explain?: (error: unknown) => Promise<unknown>;
  /** Hears of every problem before it is sent. Default: nobody does. */
  readonly onProblem?: (told: ToldProblem) => void;
  /** The form in which the sender of this request reads errors. Default, and where undefined: RFC 9457. */
  readonly formOf?: (request: FastifyRequest) => WriteProblem | undefined;
}

/** Writes a problem for clients that know another form; the body is sent as JSON. */
export type WriteProblem = (problem: Problem) => { readonly type: string; readonly body: object };

const writeAsProblem: WriteProblem = (problem) => ({ type: PROBLEM_TYPE, body: problem });

/** Gives every failure one form: errors, unknown addresses, wrong methods. Call it before the first route is added. */
export function answerProblems(app: FastifyInstance, options: ProblemOptions): void {
  const routes: RouteOptions[] = [];
  app.addHook("onRoute", (route) => void routes.push(route));
  app.setErrorHandler(async (thrown, request, reply) => {
    const error = await explained(thrown, options);
    return sendProblem({ error, request, reply }, options);
  });
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsAt(routes, request.url);
    const error = allowed.length > 0 ? new MethodNotAllowedError(allowed) : new RouteUnknownError();
    return sendProblem({ error, request, reply }, options);
  });
}

/** Returns the problem of an error outside of Fastify, records it as a refusal, and logs what is our fault. */
export async function problemFor(
  thrown: unknown,
  request: AttemptedRequest,
  options: ProblemOptions,
): Promise<ProblemAnswer> {
  const error = await explained(thrown, options);
  const answer = toProblem(error, { ...options, traceId: null });
  options.onProblem?.({ error, problem: answer.problem, request });
  if (answer.problem.status === 500) options.logger.error({ err: error }, "a request failed");
  return answer;
}

async function explained(error: unknown, options: ProblemOptions): Promise<unknown> {
  const isUnclear = toProblem(error, { ...options, traceId: null }).problem.status === 500;
  if (!isUnclear || options.explain === undefined) return error;
  try {
    return await options.explain(error);
  } catch {
    return error;
  }
}

/** Answers with a problem; what is our fault is logged with its reason. */
export function sendProblem(
  failed: { readonly error: unknown; readonly request: FastifyRequest; readonly reply: FastifyReply },
  options: ProblemOptions,
): FastifyReply {
  const { error, request, reply } = failed;
  const traceId = traceOf(request)?.traceId ?? null;
  const { problem, headers } = toProblem(error, { ...options, traceId });
  options.onProblem?.({ error, problem, request });
  if (problem.status === 500 && !isBrokenOff(request))
    options.logger.error({ err: error, trace_id: traceId }, "a request failed");
  // Two requests on one connection could no longer be told apart after a body that was not read to its end.
  if (problem.status === 413 || problem.status === 415) void reply.header("connection", "close");
  const { type, body } = (options.formOf?.(request) ?? writeAsProblem)(problem);
  return reply.code(problem.status).headers(headers).type(type).send(JSON.stringify(body));
}

/** Returns true for a request whose sender went away before its end: what failed by that is no fault of ours. */
function isBrokenOff({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

function methodsAt(routes: readonly RouteOptions[], url: string): string[] {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  const found = routes.filter((route) => isMatch(route.url, path)).flatMap(({ method }) => method);
  return [...new Set(found)].toSorted();
}

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

const CODE_OF_STATUS: Readonly<Record<number, string>> = {
  408: "request_timed_out",
  431: "headers_too_large",
};

/** Answers what is not HTTP, or too slow, or has too large a head: there is no request yet, only a socket. */
export function answerBrokenRequest(error: Error & { readonly code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const status = STATUS_OF_SOCKET_ERROR[error.code ?? ""] ?? 400;
  const code = CODE_OF_STATUS[status] ?? "malformed_http";
  const body = JSON.stringify(
    problemOf({
      status,
      code,
      failureClass: "parse_error",
      message: "The request could not be read as HTTP in time and within the bounds.",
      remedy: "Send it faster, with a shorter head, and as HTTP/1.1.",
      errors: [],
      traceId: null,
    }),
  );
  socket.end(
    `HTTP/1.1 ${status} ${code}\r\ncontent-type: ${PROBLEM_TYPE}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

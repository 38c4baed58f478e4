import fc from "fast-check";
import Fastify from "fastify";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { SutureError } from "#shared/errors";
import { Metrics } from "#shared/telemetry";
import { answerProblems, sendProblem } from "./answer-problems.ts";
import type { ProblemOptions } from "./answer-problems.ts";
import { ForbiddenError, RequestInvalidError, UnauthorisedError } from "./errors.ts";
import { problemSchema, toProblem } from "./problem.ts";
import { traceRequests } from "./trace-requests.ts";

function errorOf(code: string, failureClass: SutureError["failureClass"]): SutureError {
  return new SutureError({ code, failureClass, message: "It went wrong.", remedy: "Repeat." });
}

test("keeps the words of foreign errors inside", () => {
  const { problem } = toProblem(new Error("password hunter2"), { traceId: "t1" });
  expect(problem.status).toBe(500);
  expect(problem.trace_id).toBe("t1");
  expect(JSON.stringify(problem)).not.toContain("hunter2");
});

test("keeps the words of our own errors inside where they are our fault", () => {
  const { problem } = toProblem(errorOf("SECRET_PLACE", "handler_error"), { traceId: null });
  expect(problem.status).toBe(500);
  expect(problem.code).toBe("internal_error");
});

test("takes the status of a refusal, of a named code, and else of the failure class", () => {
  const statusOf = (error: unknown, statusByCode = {}): number =>
    toProblem(error, { traceId: null, statusByCode }).problem.status;
  expect(statusOf(new UnauthorisedError())).toBe(401);
  expect(statusOf(new ForbiddenError("viewer", ["admin"], "vera"))).toBe(403);
  expect(statusOf(errorOf("GONE", "validation_error"), { GONE: 404 })).toBe(404);
  expect(statusOf(errorOf("toString", "validation_error"))).toBe(422);
  expect(statusOf(errorOf("AWAY", "transient"))).toBe(503);
  expect(toProblem(errorOf("AWAY", "transient"), { traceId: null }).headers).toEqual({ "retry-after": "2" });
});

test("takes a remedy by stable code, and only one that was given", () => {
  const detailOf = (code: string): string =>
    toProblem(errorOf(code, "validation_error"), { traceId: null, remedyByCode: { GONE: "Look elsewhere." } })
      .problem.detail;
  expect(detailOf("GONE")).toBe("It went wrong. Look elsewhere.");
  expect(detailOf("toString")).toBe("It went wrong. Repeat.");
});

test("believes a framework's status only where it is true of the request", () => {
  const withStatus = (statusCode: unknown): number =>
    toProblem(Object.assign(new Error("x"), { statusCode }), { traceId: null }).problem.status;
  expect(withStatus(413)).toBe(413);
  expect(withStatus(200)).toBe(500);
  expect(withStatus(418)).toBe(500);
  expect(withStatus("404")).toBe(500);
});

test("names every fault by its pointer, and fifty at most", () => {
  const issues = Array.from({ length: 80 }, (_, index) => ({ path: `/f/${index}`, code: "b", message: "n" }));
  const { problem } = toProblem(new RequestInvalidError(issues), { traceId: null });
  expect(problem.errors).toHaveLength(50);
  expect(problem.errors[0]).toEqual({ pointer: "/f/0", code: "b", message: "n" });
});

test("makes a problem of anything that can be thrown", () => {
  fc.assert(
    fc.property(fc.anything(), (thrown) => {
      const { problem } = toProblem(thrown, { traceId: null });
      expect(problemSchema.safeParse(problem).success).toBe(true);
      expect(problem.status).toBeGreaterThanOrEqual(400);
    }),
  );
});

const away = new SutureError({
  code: "STORE_AWAY",
  failureClass: "transient",
  message: "It is away.",
  remedy: "Repeat.",
});

/** A server whose `/fails` throws, and a table that also has `POST /things/:id`. */
async function startFailing(thrown: unknown, options: Partial<ProblemOptions> = {}): Promise<string> {
  const problems = { logger: pino({ level: "silent" }), ...options };
  const app = Fastify({
    frameworkErrors: (error, request, reply) => void sendProblem({ error, request, reply }, problems),
  });
  traceRequests(app, problems.logger, new Metrics());
  answerProblems(app, problems);
  app.get("/fails", async () => Promise.reject(thrown));
  app.post("/things/:id", async () => ({}));
  onTestFinished(() => app.close());
  return app.listen({ host: "127.0.0.1", port: 0 });
}

test("asks for the reason of an error that says nothing itself", async () => {
  const url = await startFailing(new Error("connection lost"), { explain: async () => away });
  const reply = await fetch(`${url}/fails`);
  expect(reply.status).toBe(503);
  expect(reply.headers.get("retry-after")).toBe("2");
  expect(await reply.json()).toMatchObject({
    code: "store_away",
    trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
});

test("answers, and keeps all words inside, when the reason cannot be found either", async () => {
  const failing: NonNullable<ProblemOptions["explain"]>[] = [
    async () => Promise.reject(new Error("hunter2")),
    () => {
      throw new Error("hunter2");
    },
    async (error) => error,
  ];
  for (const explain of failing) {
    const url = await startFailing(new Error("hunter2"), { explain });
    const reply = await fetch(`${url}/fails`);
    expect(reply.status).toBe(500);
    expect(reply.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
    expect(await reply.text()).not.toContain("hunter2");
  }
});

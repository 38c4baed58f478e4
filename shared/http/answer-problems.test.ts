import Fastify from "fastify";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { SutureError } from "#shared/errors";
import { answerProblems, sendProblem } from "./answer-problems.ts";
import type { ProblemOptions } from "./answer-problems.ts";

const away = new SutureError({
  code: "STORE_AWAY",
  failureClass: "transient",
  message: "It is away.",
  remedy: "Repeat.",
});

/** A server whose `/fails` throws, and a table that also has `POST /things/:id`. */
async function startFailing(thrown: unknown, options: Partial<ProblemOptions> = {}): Promise<string> {
  const problems = { logger: pino({ level: "silent" }), traceIdOf: () => "t1", ...options };
  const app = Fastify({
    frameworkErrors: (error, request, reply) => void sendProblem({ error, request, reply }, problems),
  });
  app.get("/fails", async () => Promise.reject(thrown));
  app.post("/things/:id", async () => ({}));
  answerProblems(
    app,
    [
      { method: "GET", path: "/fails" },
      { method: "POST", path: "/things/:id" },
    ],
    problems,
  );
  onTestFinished(() => app.close());
  return app.listen({ host: "127.0.0.1", port: 0 });
}

test("asks for the reason of an error that says nothing itself", async () => {
  const url = await startFailing(new Error("connection lost"), { explain: async () => away });
  const reply = await fetch(`${url}/fails`);
  expect(reply.status).toBe(503);
  expect(reply.headers.get("retry-after")).toBe("2");
  expect(await reply.json()).toMatchObject({ code: "store_away", trace_id: "t1" });
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

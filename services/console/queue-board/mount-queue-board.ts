import { createBullBoard } from "@bull-board/api";
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter";
import { FastifyAdapter } from "@bull-board/fastify";
import type { FastifyInstance } from "fastify";
import { ForbiddenError, PROBLEM_TYPE, toProblem } from "#shared/http";
import { requireAllTeams } from "../api/guards/confine-to-teams.ts";
import { callerOf } from "../api/guards/guard-requests.ts";
import type { Console } from "../console.ts";
import { lanesOf } from "../live/measure.ts";
import { maskSecrets } from "../masking/mask-secrets.ts";
import { showJobs } from "./show-jobs.ts";

const PATH = "/queues";

/** How the JSON text of a problem of ours begins. */
const PROBLEM_START = '{"type":"urn:suture:problem:';

/** Its page has a style of its own inside; scripts only from here, as everywhere. */
const BOARD_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** What viewers may ask of its API: queues and their counts. */
const FOR_VIEWERS: readonly string[] = [`${PATH}/api/queues`, `${PATH}/api/queues/`];

/**
 * Mounts bull-board's raw view of every queue, for looking only: a job that is removed here would be a lost message.
 * Viewers see queues and counts. Operators and admins see jobs too, without conversations, and with what contracts mark
 * as sensitive masked, as are secrets.
 */
export function mountQueueBoard(app: FastifyInstance, console: Console): void {
  const adapter = new FastifyAdapter();
  adapter.setBasePath(PATH);
  const queues = lanesOf(console.teams).map(({ agent, lane }) => {
    return new BullMQAdapter(console.store.queues.of(agent, lane), {
      readOnlyMode: true,
      allowRetries: false,
    });
  });
  createBullBoard({ queues, serverAdapter: adapter, options: { uiConfig: { boardTitle: "Suture queues" } } });
  // Its plugin sets an error handler of its own, which would make an internal error of every refusal.
  adapter.setErrorHandler((error) => {
    const { problem } = toProblem(error, { traceId: null });
    if (problem.status === 500) console.logger.error({ err: error }, "the queue board failed");
    // The adapter sends any status; its type names only those that bull-board itself gives.
    return { status: problem.status as 500, body: problem };
  });
  void app.register(async (scope) => {
    scope.addHook("onSend", async (_request, reply, payload) => {
      if (typeof payload === "string" && payload.startsWith(PROBLEM_START)) void reply.type(PROBLEM_TYPE);
      return payload;
    });
    scope.addHook("onRoute", (route) => {
      const isData = route.url.startsWith(`${PATH}/api`) && !FOR_VIEWERS.includes(route.url);
      route.config = { ...route.config, role: isData ? "operator" : "viewer" };
    });
    scope.addHook("preSerialization", async (request, _reply, answer) =>
      maskSecrets(showJobs(answer, callerOf(request)?.role ?? "viewer", console.teams)),
    );
    scope.addHook("onRequest", async (request, reply) => {
      requireAllTeams(callerOf(request));
      // Its own read-only mode refuses changes too; this does not depend on it.
      if (request.method !== "GET" && request.method !== "HEAD")
        throw new ForbiddenError("any", ["none: this view is read-only"], callerOf(request)?.name ?? "");
      void reply.header("content-security-policy", BOARD_POLICY);
    });
    await scope.register(adapter.registerPlugin(), { prefix: PATH });
  });
}

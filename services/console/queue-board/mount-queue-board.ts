import { createBullBoard } from "@bull-board/api";
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter";
import { FastifyAdapter } from "@bull-board/fastify";
import type { FastifyInstance } from "fastify";
import { ForbiddenError, PROBLEM_TYPE, toProblem } from "#shared/http";
import { callerOf } from "../api/guards/guard-requests.ts";
import type { Console } from "../console.ts";
import { lanesOf } from "../live/measure.ts";
import { maskSecrets, maskText } from "../masking/mask-secrets.ts";

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

/**
 * Mounts bull-board's raw view of every queue, for looking only. Unlike the ward it shows the messages of every run, so
 * that it takes an operator; secrets in them are masked as everywhere in the console.
 */
export function mountQueueBoard(app: FastifyInstance, console: Console): void {
  const adapter = new FastifyAdapter();
  adapter.setBasePath(PATH);
  const queues = lanesOf(console.teams).map(({ agent, lane }) => {
    const queue = new BullMQAdapter(console.store.queues.of(agent, lane), {
      readOnlyMode: true,
      allowRetries: false,
    });
    queue.setFormatter("data", showData);
    queue.setFormatter("returnValue", maskSecrets);
    return queue;
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
      route.config = { ...route.config, role: "operator" };
    });
    scope.addHook("onRequest", async (request, reply) => {
      // Its own read-only mode refuses changes too; this does not depend on it.
      if (request.method !== "GET" && request.method !== "HEAD")
        throw new ForbiddenError("any", ["none: this view is read-only"], callerOf(request)?.name ?? "");
      void reply.header("content-security-policy", BOARD_POLICY);
    });
    await scope.register(adapter.registerPlugin(), { prefix: PATH });
  });
}

/** A job's data with secrets masked, also in the envelope's text; what is compressed is not shown. */
function showData(data: unknown): unknown {
  if (typeof data !== "object" || data === null || !("sealed" in data)) return maskSecrets(data);
  const { sealed } = data;
  const isPlain = typeof sealed === "string" && !("encoding" in data);
  return maskSecrets({ ...data, sealed: isPlain ? maskText(sealed) : "[compressed]" });
}

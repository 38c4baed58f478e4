import { createBullBoard } from "@bull-board/api";
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter";
import { FastifyAdapter } from "@bull-board/fastify";
import type { FastifyInstance } from "fastify";
import { readEnvelope } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";
import { ForbiddenError, PROBLEM_TYPE, toProblem } from "#shared/http";
import { concealIn, hasSensitive } from "#shared/masking";
import type { Team } from "#shared/runtime";
import type { JsonValue } from "#shared/schema";
import type { Role } from "../api/guards/caller.ts";
import { requireAllTeams } from "../api/guards/confine-to-teams.ts";
import { callerOf } from "../api/guards/guard-requests.ts";
import type { Console } from "../console.ts";
import { lanesOf } from "../live/measure.ts";
import { maskSecrets } from "../masking/mask-secrets.ts";

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
 * Mounts bull-board's view of every queue, read-only: a job removed here would be a lost message. Viewers see counts;
 * operators and admins also see jobs, without conversations, secrets and sensitive values.
 */
export function mountQueueBoard(app: FastifyInstance, console: Console): void {
  const adapter = new FastifyAdapter();
  adapter.setBasePath(PATH);
  const { shards } = console.store;
  const queues = shards.flatMap((shard) =>
    lanesOf(console.teams).map(({ agent, lane }) => {
      const prefix = shards.length === 1 ? {} : { prefix: `shard ${shard.keys.shard}: ` };
      return new BullMQAdapter(shard.queues.of(agent, lane), {
        readOnlyMode: true,
        allowRetries: false,
        ...prefix,
      });
    }),
  );
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

/** Replaces a user's own words, for which no contract marks what is personal. */
const HIDDEN = "[not shown]";

/**
 * Returns an answer of the board as a role may see it. Viewers get no jobs at all. Others see a message's metadata and
 * its payload with marked values masked, wherever else in the job they stand; never its conversation.
 */
function showJobs(answer: unknown, role: Role, teams: readonly Team[]): unknown {
  if (Array.isArray(answer)) return answer.map((item: unknown) => showJobs(item, role, teams));
  if (typeof answer !== "object" || answer === null) return answer;
  if (Object.hasOwn(answer, "data")) return role === "viewer" ? {} : showJob({ ...answer }, teams);
  return Object.fromEntries(
    Object.entries(answer).map(([key, value]: [string, unknown]) => [
      key,
      key === "jobs" && role === "viewer" ? [] : showJobs(value, role, teams),
    ]),
  );
}

function showJob(job: Readonly<Record<string, unknown>>, teams: readonly Team[]): unknown {
  const { data } = job;
  if (typeof data !== "object" || data === null || !("sealed" in data)) return job;
  const envelope = envelopeOf(data);
  if (envelope === null) return { ...job, ...HIDDEN_WORDS, data: { ...data, sealed: HIDDEN } };
  const { meta, data_payload, billing, task_context } = envelope;
  const schema = teams
    .map((team) => team.contracts.find(meta.contract)?.jsonSchema)
    .find((one) => one !== undefined);
  // The envelope was parsed from JSON text.
  const payload = data_payload as JsonValue;
  const shown = { meta, billing, task_context, user_context: HIDDEN, conversation: HIDDEN };
  // Without its contract a payload may hold anything.
  if (schema === undefined)
    return { ...job, ...HIDDEN_WORDS, data: { ...data, sealed: { ...shown, data_payload: HIDDEN } } };
  if (!hasSensitive(schema)) return { ...job, data: { ...data, sealed: { ...shown, data_payload } } };
  const { payload: masked, elsewhere } = concealIn(payload, schema);
  const { failedReason, stacktrace, returnValue, progress } = job;
  const words = elsewhere({ failedReason, stacktrace, returnValue, progress });
  return { ...job, ...toRecord(words), data: { ...data, sealed: { ...shown, data_payload: masked } } };
}

/** Errors may quote the payload. */
const HIDDEN_WORDS = { failedReason: HIDDEN, stacktrace: [], returnValue: HIDDEN, progress: HIDDEN };

function toRecord(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

/** Null for what is compressed, and for what is no envelope. */
function envelopeOf(data: object): Envelope | null {
  if ("encoding" in data || !("sealed" in data) || typeof data.sealed !== "string") return null;
  try {
    return readEnvelope(data.sealed);
  } catch {
    return null;
  }
}

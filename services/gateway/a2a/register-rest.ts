import {
  A2A_CONTENT_TYPE,
  ListTasksRequest,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  Task,
} from "@a2a-js/sdk";
import { A2AError, restStatusFor, toRestErrorBody, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { validateVersion } from "@a2a-js/sdk/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { GATEWAY_API, READERS } from "#shared/api";
import { isRecord } from "#shared/json";
import { describeTeam } from "./agent-card.ts";
import { registerPushRoutes } from "./push/register-push-routes.ts";
import { createRequestHandler } from "./request-handler.ts";
import { contextOf } from "./request-context.ts";
import type { AddRoute, RestCall } from "./rest-call.ts";
import { streamEvents } from "./stream-events.ts";
import type { TeamCall } from "./team-call.ts";

/** The protocol's HTTP+JSON binding. The SDK has it for Express only. */
export function registerRest(
  app: FastifyInstance,
  {
    base,
    open,
  }: {
    readonly base: string;
    readonly open: (request: FastifyRequest, reply: FastifyReply) => TeamCall;
  },
): void {
  const route: AddRoute = (method, path, operation) => {
    app.route({
      method,
      url: base + path,
      exposeHeadRoute: false,
      config: { scopes: operation.scopes },
      handler: async (request, reply) => {
        const call = open(request, reply);
        const context = contextOf(request);
        try {
          validateVersion(context.requestedVersion, describeTeam(call.team, call.origin, null), "HTTP+JSON");
          const handler = createRequestHandler(call);
          const answer = await operation.work({ call, handler, context, request, reply });
          return answer === reply ? reply : await reply.type(A2A_CONTENT_TYPE).send(answer);
        } catch (error) {
          return answerError(reply, error);
        }
      },
    });
  };
  const begins = GATEWAY_API.submitTask.scopes;
  route("POST", "/message::send", { scopes: begins, work: send });
  route("POST", "/message::stream", { scopes: begins, work: stream });
  route("GET", "/tasks", { scopes: READERS, work: list });
  route("GET", "/tasks/:task", {
    scopes: READERS,
    work: async (rest) => (taskOf(rest).verb === "subscribe" ? subscribe(rest) : get(rest)),
  });
  route("POST", "/tasks/:task", { scopes: READERS, work: act });
  registerPushRoutes(route, begins);
}

/** Fastify's parameter takes the verb along: `<id>:cancel`. */
function taskOf({ request }: RestCall): { readonly id: string; readonly verb: string | null } {
  // The routes that use it have the parameter.
  const { task } = request.params as { task: string };
  const at = task.lastIndexOf(":");
  return at < 0 ? { id: task, verb: null } : { id: task.slice(0, at), verb: task.slice(at + 1) };
}

async function send({ handler, context, request }: RestCall): Promise<unknown> {
  const answer = await handler.sendMessage(SendMessageRequest.fromJSON(request.body ?? {}), context);
  const payload =
    "messageId" in answer
      ? ({ $case: "message", value: answer } as const)
      : ({ $case: "task", value: answer } as const);
  return SendMessageResponse.toJSON({ payload });
}

async function stream(rest: RestCall): Promise<unknown> {
  const { handler, context, request } = rest;
  return sendStream(
    rest,
    handler.sendMessageStream(SendMessageRequest.fromJSON(request.body ?? {}), context),
  );
}

async function subscribe(rest: RestCall): Promise<unknown> {
  return sendStream(rest, rest.handler.resubscribe({ id: taskOf(rest).id, tenant: "" }, rest.context));
}

async function sendStream(
  { call, reply }: RestCall,
  responses: AsyncGenerator<StreamResponse, void, undefined>,
): Promise<unknown> {
  const events = (async function* () {
    for await (const response of responses) yield StreamResponse.toJSON(response);
  })();
  const onError = (error: unknown): unknown => {
    if (!(error instanceof A2AError)) throw error;
    const status = restStatusFor(error);
    if (!reply.sent) void reply.code(status).type(A2A_CONTENT_TYPE);
    return toRestErrorBody(error, status);
  };
  return streamEvents(call, reply, { events, onError });
}

async function get(rest: RestCall): Promise<unknown> {
  const request = { id: taskOf(rest).id, tenant: "", ...historyOf(rest) };
  return Task.toJSON(await rest.handler.getTask(request, rest.context));
}

function historyOf({ request }: RestCall): { historyLength?: number } {
  const { historyLength } = queryOf(request);
  return historyLength === undefined ? {} : { historyLength: Number(historyLength) };
}

async function list({ handler, context, request }: RestCall): Promise<unknown> {
  const { pageSize, historyLength, includeArtifacts, ...texts } = queryOf(request);
  const asked = ListTasksRequest.fromJSON({
    ...texts,
    ...(pageSize === undefined ? {} : { pageSize: Number(pageSize) }),
    ...(historyLength === undefined ? {} : { historyLength: Number(historyLength) }),
    includeArtifacts: includeArtifacts === "true",
  });
  const { tasks, nextPageToken, ...counts } = await handler.listTasks(asked, context);
  return { ...counts, nextPageToken, tasks: tasks.map((task) => Task.toJSON(task)) };
}

function queryOf({ query }: FastifyRequest): Readonly<Record<string, unknown>> {
  return isRecord(query) ? query : {};
}

async function act(rest: RestCall): Promise<unknown> {
  const { id, verb } = taskOf(rest);
  if (verb === "subscribe") return subscribe(rest);
  if (verb !== "cancel")
    throw new UnsupportedOperationError({ message: "A task is canceled or subscribed to." });
  rest.call.requireScope(GATEWAY_API.cancelRun.scopes);
  return Task.toJSON(await rest.handler.cancelTask({ id, tenant: "", metadata: {} }, rest.context));
}

/** Errors that the protocol has no code for are answered as every other problem of the gateway. */
function answerError(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof A2AError)) throw error;
  const status = restStatusFor(error);
  return reply.code(status).type(A2A_CONTENT_TYPE).send(toRestErrorBody(error, status));
}

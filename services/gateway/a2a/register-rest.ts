import {
  A2A_CONTENT_TYPE,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import { A2AError, restStatusFor, toRestErrorBody, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { validateVersion } from "@a2a-js/sdk/server";
import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { GATEWAY_API, READERS } from "#shared/api";
import type { ApiScope } from "#shared/config";
import { isRecord } from "#shared/json";
import { describeTeam } from "./agent-card.ts";
import { createRequestHandler } from "./request-handler.ts";
import { contextOf } from "./request-context.ts";
import { streamEvents, toEvents } from "../guards/stream-events.ts";
import type { TeamCall } from "./team-call.ts";

/** One request of the HTTP+JSON binding. */
interface RestCall {
  readonly call: TeamCall;
  readonly handler: A2ARequestHandler;
  readonly context: ServerCallContext;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Adds one operation of the binding. Its answer is the body, or the reply that was sent. */
type AddRoute = (
  method: "GET" | "POST" | "DELETE",
  path: string,
  operation: { readonly scopes: readonly ApiScope[]; readonly work: (call: RestCall) => Promise<unknown> },
) => void;

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
  const configs = "/tasks/:task/pushNotificationConfigs";
  route("POST", configs, { scopes: begins, work: addConfig });
  route("GET", configs, { scopes: READERS, work: listConfigs });
  route("GET", `${configs}/:config`, {
    scopes: READERS,
    work: async (rest) =>
      TaskPushNotificationConfig.toJSON(
        await rest.handler.getTaskPushNotificationConfig(configOf(rest), rest.context),
      ),
  });
  route("DELETE", `${configs}/:config`, {
    scopes: begins,
    work: async (rest) => {
      await rest.handler.deleteTaskPushNotificationConfig(configOf(rest), rest.context);
      return rest.reply.code(204).send();
    },
  });
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
  return streamEvents(call.gateway, reply, { events: toEvents(events), onError });
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

async function addConfig(rest: RestCall): Promise<unknown> {
  const body = isRecord(rest.request.body) ? rest.request.body : {};
  const config = TaskPushNotificationConfig.fromJSON({ ...body, taskId: configOf(rest).taskId });
  const made = await rest.handler.createTaskPushNotificationConfig(config, rest.context);
  void rest.reply.code(201);
  return TaskPushNotificationConfig.toJSON(made);
}

async function listConfigs(rest: RestCall): Promise<unknown> {
  const asked = { ...configOf(rest), pageSize: 0, pageToken: "" };
  const found = await rest.handler.listTaskPushNotificationConfigs(asked, rest.context);
  return ListTaskPushNotificationConfigsResponse.toJSON(found);
}

function configOf({ request }: RestCall): {
  readonly tenant: "";
  readonly taskId: string;
  readonly id: string;
} {
  // The routes have the first parameter, and those of one configuration the second.
  const { task, config = "" } = request.params as { task: string; config?: string };
  return { tenant: "", taskId: task, id: config };
}

/** Errors that the protocol has no code for are answered as every other problem of the gateway. */
function answerError(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof A2AError)) throw error;
  const status = restStatusFor(error);
  return reply.code(status).type(A2A_CONTENT_TYPE).send(toRestErrorBody(error, status));
}

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
import { requireScope } from "../tenancy/may-see.ts";
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

/** One operation of the binding. Its answer is the body, or the reply that was sent. */
type Operation = readonly [
  method: "GET" | "POST" | "DELETE",
  path: string,
  scopes: readonly ApiScope[],
  work: (call: RestCall) => Promise<unknown>,
];

const BEGINS = GATEWAY_API.submitTask.scopes;
const CONFIGS = "/tasks/:task/pushNotificationConfigs";

const OPERATIONS: readonly Operation[] = [
  ["POST", "/message::send", BEGINS, send],
  ["POST", "/message::stream", BEGINS, stream],
  ["GET", "/tasks", READERS, list],
  ["GET", "/tasks/:task", READERS, get],
  ["POST", "/tasks/:task", READERS, act],
  ["POST", CONFIGS, BEGINS, addConfig],
  ["GET", CONFIGS, READERS, listConfigs],
  ["GET", `${CONFIGS}/:config`, READERS, getConfig],
  ["DELETE", `${CONFIGS}/:config`, BEGINS, deleteConfig],
];

/** The protocol's HTTP+JSON binding. The SDK has it for Express only. */
export function registerRest(
  app: FastifyInstance,
  base: string,
  open: (request: FastifyRequest, reply: FastifyReply) => TeamCall,
): void {
  for (const [method, path, scopes, work] of OPERATIONS)
    app.route({
      method,
      url: base + path,
      exposeHeadRoute: false,
      config: { scopes },
      handler: async (request, reply) => {
        const call = open(request, reply);
        const context = contextOf(request);
        try {
          validateVersion(context.requestedVersion, describeTeam(call.team, call.origin, null), "HTTP+JSON");
          const answer = await work({ call, handler: createRequestHandler(call), context, request, reply });
          return answer === reply ? reply : await reply.type(A2A_CONTENT_TYPE).send(answer);
        } catch (error) {
          return reply.send(errorBodyOf(reply, error));
        }
      },
    });
}

/** Errors that the protocol has no code for are answered as every other problem of the gateway. */
function errorBodyOf(reply: FastifyReply, error: unknown): unknown {
  if (!(error instanceof A2AError)) throw error;
  const status = restStatusFor(error);
  if (!reply.sent) void reply.code(status).type(A2A_CONTENT_TYPE);
  return toRestErrorBody(error, status);
}

/** Fastify's parameter takes the verb along: `<id>:cancel`. */
function taskOf({ request }: RestCall): { readonly id: string; readonly verb: string | null } {
  // The routes that use it have the parameter.
  const { task } = request.params as { task: string };
  const at = task.lastIndexOf(":");
  return at < 0 ? { id: task, verb: null } : { id: task.slice(0, at), verb: task.slice(at + 1) };
}

async function send({ handler, context, request }: RestCall): Promise<unknown> {
  const value = await handler.sendMessage(SendMessageRequest.fromJSON(request.body ?? {}), context);
  return SendMessageResponse.toJSON({
    payload: "messageId" in value ? { $case: "message", value } : { $case: "task", value },
  });
}

async function stream(rest: RestCall): Promise<unknown> {
  const request = SendMessageRequest.fromJSON(rest.request.body ?? {});
  return sendStream(rest, rest.handler.sendMessageStream(request, rest.context));
}

async function subscribe(rest: RestCall): Promise<unknown> {
  return sendStream(rest, rest.handler.resubscribe({ id: taskOf(rest).id, tenant: "" }, rest.context));
}

async function sendStream(
  { call, reply }: RestCall,
  responses: AsyncGenerator<StreamResponse, void, undefined>,
): Promise<unknown> {
  const events = toEvents(responses, (response) => StreamResponse.toJSON(response));
  return streamEvents(call.gateway, reply, { events, onError: (error) => errorBodyOf(reply, error) });
}

async function get(rest: RestCall): Promise<unknown> {
  const { id, verb } = taskOf(rest);
  if (verb === "subscribe") return subscribe(rest);
  const { historyLength } = numbersOf(rest);
  const request = { id, tenant: "", ...(historyLength === undefined ? {} : { historyLength }) };
  return Task.toJSON(await rest.handler.getTask(request, rest.context));
}

async function list(rest: RestCall): Promise<unknown> {
  const { pageSize: _size, historyLength: _length, includeArtifacts, ...texts } = queryOf(rest);
  const asked = ListTasksRequest.fromJSON({
    ...texts,
    ...numbersOf(rest),
    includeArtifacts: includeArtifacts === "true",
  });
  const { tasks, ...counts } = await rest.handler.listTasks(asked, rest.context);
  return { ...counts, tasks: tasks.map((task) => Task.toJSON(task)) };
}

function queryOf({ request: { query } }: RestCall): Readonly<Record<string, unknown>> {
  return isRecord(query) ? query : {};
}

/** The fields of a query that are numbers, of those that are given. */
function numbersOf(rest: RestCall): { readonly pageSize?: number; readonly historyLength?: number } {
  const given = Object.entries(queryOf(rest)).filter(([name]) => /^(pageSize|historyLength)$/.test(name));
  return Object.fromEntries(given.map(([name, text]) => [name, Number(text)]));
}

async function act(rest: RestCall): Promise<unknown> {
  const { id, verb } = taskOf(rest);
  if (verb === "subscribe") return subscribe(rest);
  if (verb !== "cancel")
    throw new UnsupportedOperationError({ message: "A task is canceled or subscribed to." });
  requireScope(rest.call.caller, GATEWAY_API.cancelRun.scopes);
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

async function getConfig(rest: RestCall): Promise<unknown> {
  const found = await rest.handler.getTaskPushNotificationConfig(configOf(rest), rest.context);
  return TaskPushNotificationConfig.toJSON(found);
}

async function deleteConfig(rest: RestCall): Promise<unknown> {
  await rest.handler.deleteTaskPushNotificationConfig(configOf(rest), rest.context);
  return rest.reply.code(204).send();
}

function configOf({ request }: RestCall) {
  // The routes have the first parameter, and those of one configuration the second.
  const { task: taskId, config: id = "" } = request.params as { task: string; config?: string };
  return { tenant: "", taskId, id };
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { AgentCard, TaskState } from "@a2a-js/sdk";
import type { Part, Task } from "@a2a-js/sdk";
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
} from "@a2a-js/sdk/server";
import type { ExecutionEventBus, RequestContext } from "@a2a-js/sdk/server";
import { grpcService, UserBuilder, A2AService } from "@a2a-js/sdk/server/grpc";
import { Server as GrpcServer, ServerCredentials } from "@grpc/grpc-js";
import { onTestFinished } from "vitest";
import { serveHttp } from "#shared/testing";

/** Treatment of one task by an agent. */
export interface Turn {
  readonly state?: TaskState;
  /** Data of the result. Default: none. */
  readonly data?: unknown;
  readonly text?: string;
  readonly metadata?: Task["metadata"];
  /** Resolves when the task may end. Default: at once. */
  readonly until?: Promise<unknown>;
}

export interface SdkServer {
  readonly url: string;
  readonly card: string;
  /** Origins to allow beside the card's. */
  readonly origins: readonly string[];
  /** Content of every task that was begun. */
  readonly begun: { readonly messageId: string; readonly content: unknown }[];
  readonly canceled: string[];
  readonly headers: IncomingMessage["headers"][];
  /** Answers a request in place of the SDK's server, if it returns true. */
  intercept: (request: IncomingMessage, response: ServerResponse, body: string) => boolean;
}

/** The SDK's own server over JSON-RPC, with an agent that does `turns` one after the other, and then the last again. */
export async function startSdkServer(
  turns: readonly Turn[],
  binding: "JSONRPC" | "GRPC" = "JSONRPC",
): Promise<SdkServer> {
  const begun: SdkServer["begun"] = [];
  const canceled: string[] = [];
  const headers: SdkServer["headers"] = [];
  const served: { rpc?: JsonRpcTransportHandler; card?: unknown } = {};
  const url = await serveHttp((request, response, body) => {
    headers.push(request.headers);
    if (sdk.intercept(request, response, body)) return;
    response.setHeader("content-type", "application/json");
    if (request.method === "GET") return void response.end(JSON.stringify(served.card));
    void served.rpc
      ?.handle(body, new ServerCallContext({ requestedVersion: "1.0" }))
      .then((answer) => response.end(JSON.stringify(answer)));
  });
  const grpc = new GrpcServer();
  const address = binding === "GRPC" ? await listen(grpc) : `${url}/rpc`;
  const card = cardOf(address, binding);
  const origins = binding === "GRPC" ? [`http://${address}`] : [];
  const sdk: SdkServer = {
    url,
    card: `${url}/card.json`,
    origins,
    begun,
    canceled,
    headers,
    intercept: () => false,
  };
  served.card = AgentCard.toJSON(card);
  const execute = async (context: RequestContext, bus: ExecutionEventBus): Promise<void> => {
    const turn = turns[Math.min(begun.length, turns.length - 1)] ?? {};
    const { messageId, parts } = context.userMessage;
    begun.push({ messageId, content: contentOf(parts[0]) });
    bus.publish(AgentEvent.task(taskOf(context, { state: TaskState.TASK_STATE_WORKING })));
    await turn.until;
    bus.publish(AgentEvent.task(taskOf(context, { state: TaskState.TASK_STATE_COMPLETED, ...turn })));
  };
  const cancelTask = async (id: string, bus: ExecutionEventBus): Promise<void> => {
    canceled.push(id);
    const status = { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp: undefined };
    bus.publish(AgentEvent.statusUpdate({ taskId: id, contextId: "", status, metadata: undefined }));
  };
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), { execute, cancelTask });
  served.rpc = new JsonRpcTransportHandler(requestHandler);
  const userBuilder: UserBuilder = async ({ metadata }) => {
    headers.push(metadata.getMap() as IncomingMessage["headers"]);
    return UserBuilder.noAuthentication();
  };
  grpc.addService(A2AService, { ...grpcService({ requestHandler, userBuilder }) });
  return sdk;
}

function contentOf(part: Part | undefined): unknown {
  return part?.content?.value;
}

async function listen(grpc: GrpcServer): Promise<string> {
  onTestFinished(() => grpc.forceShutdown());
  return new Promise((resolve, reject) => {
    grpc.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(`127.0.0.1:${port}`) : reject(error),
    );
  });
}

export function cardOf(url: string, protocolBinding = "JSONRPC"): AgentCard {
  return AgentCard.fromJSON({
    name: "remote",
    description: "Somebody else's.",
    version: "1",
    supportedInterfaces: [{ url, protocolBinding, protocolVersion: "1.0", tenant: "" }],
    capabilities: { streaming: false },
    defaultInputModes: ["application/json"],
    defaultOutputModes: ["application/json"],
    skills: [],
  });
}

function taskOf(context: RequestContext, { state, data, text, metadata }: Turn): Task {
  const content =
    data === undefined
      ? ({ $case: "text", value: text ?? "" } as const)
      : ({ $case: "data", value: data } as const);
  const parts = [{ content, metadata: undefined, filename: "", mediaType: "" }];
  const artifact = {
    artifactId: "a",
    name: "a",
    description: "",
    parts,
    metadata: undefined,
    extensions: [],
  };
  return {
    id: context.taskId,
    contextId: context.contextId,
    status: { state: state ?? TaskState.TASK_STATE_COMPLETED, message: undefined, timestamp: undefined },
    artifacts: data === undefined && text === undefined ? [] : [artifact],
    history: [],
    metadata,
  };
}

import { Role } from "@a2a-js/sdk";
import type { Message, Part, SendMessageRequest, StreamResponse } from "@a2a-js/sdk";
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import type { CallInterceptor, Client } from "@a2a-js/sdk/client";
import { GrpcTransportFactory } from "@a2a-js/sdk/client/grpc";

/** The SDK's own client for a team, with a key. The card may be asked for with another, `cardKey`. */
export async function openA2aClient(
  gateway: { readonly url: string },
  asked: {
    readonly team: string;
    readonly key: string;
    readonly binding: "JSONRPC" | "GRPC";
    readonly cardKey?: string;
  },
): Promise<Client> {
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${asked.cardKey ?? asked.key}`);
    return fetch(input, { ...init, headers });
  };
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl }), new GrpcTransportFactory()],
    clientConfig: { interceptors: asked.binding === "GRPC" ? [withKey(asked.key)] : [] },
    preferredTransports: [asked.binding],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  return factory.createFromUrl(`${gateway.url}/a2a/${asked.team}/.well-known/agent-card.json`, "");
}

/** gRPC has no fetch: the key is metadata of each call. */
const withKey = (key: string): CallInterceptor => ({
  before: async (args) => {
    const { serviceParameters } = args.options ?? {};
    args.options = {
      ...args.options,
      serviceParameters: { ...serviceParameters, authorization: `Bearer ${key}` },
    };
  },
  after: async () => undefined,
});

export function messageOf(
  content: NonNullable<Part["content"]>,
  more: Partial<Message> = {},
): SendMessageRequest {
  return {
    tenant: "",
    metadata: undefined,
    configuration: undefined,
    message: {
      messageId: crypto.randomUUID(),
      contextId: "",
      taskId: "",
      role: Role.ROLE_USER,
      parts: [{ content, metadata: undefined, filename: "", mediaType: "" }],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
      ...more,
    },
  };
}

/** The same message, answered as soon as its run has begun. */
export function atOnce(request: SendMessageRequest): SendMessageRequest {
  const configuration = {
    acceptedOutputModes: [],
    taskPushNotificationConfig: undefined,
    returnImmediately: true,
  };
  return { ...request, configuration };
}

export async function collect(stream: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
  const all: StreamResponse[] = [];
  for await (const response of stream) all.push(response);
  return all;
}

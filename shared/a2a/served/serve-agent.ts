import { createHash, timingSafeEqual } from "node:crypto";
import { A2A_PROTOCOL_VERSION, AgentCard } from "@a2a-js/sdk";
import type { AgentInterface } from "@a2a-js/sdk";
import { defaultServerCallContextBuilder, JsonRpcTransportHandler } from "@a2a-js/sdk/server";
import fastify from "fastify";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { z } from "zod";
import { loadPackage } from "#shared/errors";
import { readJsonOnly } from "#shared/http";
import { isRecord } from "#shared/json";
import { CONTRACT_EXTENSION } from "../sealed.ts";
import { GRPC_PACKAGES } from "../grpc.ts";
import type { ServedAgent } from "./served-agent.ts";
import { ServedTasks } from "./served-tasks.ts";

export interface ServingOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Port of the gRPC binding. Default: none. */
  readonly grpcPort?: number;
  /** Scheme and host by which the proxy reaches this process, for the card. Default: host and port. */
  readonly url?: string;
  /** Token of callers, in `authorization: Bearer …`. Null lets in everybody who reaches the port. */
  readonly token: string | null;
  /** Bytes of one request. */
  readonly bodyBytesMax: number;
  readonly logger: Logger;
}

interface Serving {
  /** Address of the card. */
  readonly card: string;
  /** Aborts the tasks at work, and closes the ports. */
  stop(): Promise<void>;
}

const CARD_PATH = "/.well-known/agent-card.json";

/**
 * Serves an agent behind A2A: its card, JSON-RPC at `/`, gRPC where a port is given, and `/health` for a container's
 * probe. It needs no Redis, no keys and no configuration but its options.
 *
 * @throws {Error} A port is taken.
 */
export async function serveAgent(agent: ServedAgent, options: ServingOptions): Promise<Serving> {
  const app = fastify({ logger: false });
  const isAdmitted = admits(options.token);
  const card = describe(agent);
  const tasks = new ServedTasks(card, agent, options.logger);
  readJsonOnly(app, options.bodyBytesMax);
  app.addHook("onRequest", async ({ headers, url }, reply) => {
    if (url === "/health" || isAdmitted(headers.authorization)) return;
    return reply.code(401).send({ title: "The token is missing or wrong." });
  });
  app.get("/health", async () => ({ status: "ok" }));
  app.get(CARD_PATH, async () => AgentCard.toJSON(card));
  answerRpc(app, tasks);
  const address = await app.listen({ host: options.host, port: options.port });
  const origin = options.url?.replace(/\/+$/, "") ?? address;
  const { grpcPort: port } = options;
  // The card names the ports, which are known once they are open.
  card.supportedInterfaces = [
    ...(port === undefined ? [] : [binding(`${new URL(origin).hostname}:${port}`, "GRPC")]),
    binding(`${origin}/`, "JSONRPC"),
  ];
  const stopGrpc =
    port === undefined
      ? null
      : await loadPackage(GRPC_PACKAGES, () => import("./serve-by-grpc.ts")).then(({ serveByGrpc }) =>
          serveByGrpc(tasks, { ...options, port, isAdmitted }),
        );
  return {
    card: origin + CARD_PATH,
    async stop() {
      tasks.stop();
      stopGrpc?.();
      await app.close();
    },
  };
}

function answerRpc(app: FastifyInstance, tasks: ServedTasks): void {
  const rpc = new JsonRpcTransportHandler(tasks);
  app.post("/", async ({ body, headers }, reply) => {
    const { method, params } = askSchema.parse(body);
    if (method === "SendMessage" && tasks.isTooBusyFor(params?.message?.messageId ?? ""))
      return reply
        .code(429)
        .header("retry-after", "1")
        .send({ title: "The agent has as many tasks as it takes." });
    const version = headers["a2a-version"];
    const context = defaultServerCallContextBuilder({
      extensions: undefined,
      user: undefined,
      headers: {},
      requestedVersion: typeof version === "string" ? version : A2A_PROTOCOL_VERSION,
    });
    return reply.send(await rpc.handle(isRecord(body) ? { ...body } : {}, context));
  });
}

/** The part of a request that says whether it begins a task. The SDK checks the rest. */
const askSchema = z
  .object({
    method: z.string().optional(),
    params: z.object({ message: z.object({ messageId: z.string().optional() }).optional() }).optional(),
  })
  .catch({});

/** Returns a check of an `authorization` header, which takes the same time for every wrong one. */
function admits(token: string | null): (header: string | undefined) => boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  const wanted = digest(`Bearer ${token}`);
  return (header) => token === null || timingSafeEqual(digest(header ?? ""), wanted);
}

function binding(url: string, protocolBinding: string): AgentInterface {
  return { url, protocolBinding, protocolVersion: A2A_PROTOCOL_VERSION, tenant: "" };
}

function describe({ name, version, description, accepts, answers }: ServedAgent): AgentCard {
  return AgentCard.fromJSON({
    name,
    description,
    version: `${version}`,
    capabilities: {
      streaming: false,
      extensions: [
        {
          uri: CONTRACT_EXTENSION,
          description: "The JSON Schemas of a message and its answer.",
          params: { contract: accepts.id, schema: accepts.jsonSchema, answers: answers.jsonSchema },
        },
      ],
    },
    defaultInputModes: ["application/json", "text/plain"],
    defaultOutputModes: ["application/json"],
    skills: [{ id: name, name, description, tags: [] }],
  });
}

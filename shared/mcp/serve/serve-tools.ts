import { Readable } from "node:stream";
import type { CallToolResult, McpServerFactory, Server, Tool } from "@modelcontextprotocol/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import { loadPackage } from "#shared/errors";

/** Tools that a server offers. */
export interface ServedTools {
  readonly list: () => Promise<readonly Tool[]>;
  /** Calls a tool with arguments that nobody has checked. @returns Null for an unknown name. */
  readonly call: (name: string, given: Record<string, unknown>) => Promise<CallToolResult | null>;
}

/** Creates a server of these tools, for one request or one connection. */
export async function serverOfTools({ list, call }: ServedTools): Promise<Server> {
  const { ProtocolError, ProtocolErrorCode, Server: Sdk } = await import("@modelcontextprotocol/server");
  const server = new Sdk({ name: "suture", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", async () => ({ tools: [...(await list())] }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const answer = await call(params.name, params.arguments ?? {});
    if (answer === null)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${params.name.slice(0, 64)}.`,
      );
    return answer;
  });
  return server;
}

/** Serves the tools of a server at an address on standard input and output, until the client ends it. */
export async function bridgeToStdio(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const { Client, StreamableHTTPClientTransport } = await loadPackage(
    ["@modelcontextprotocol/client"],
    () => import("@modelcontextprotocol/client"),
  );
  const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
  const client = new Client({ name: "suture", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const tools: ServedTools = {
    list: async () => (await client.listTools(undefined, { cacheMode: "bypass" })).tools,
    call: (name, given) => client.callTool({ name, arguments: given }),
  };
  serveStdio(() => serverOfTools(tools));
}

/** Answers a request of Streamable HTTP, without sessions. @param options.signal - Aborted when the client is gone. */
export async function answerMcp(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  createServer: McpServerFactory,
  { signal, keepAliveMs }: { readonly signal: AbortSignal; readonly keepAliveMs: number },
): Promise<FastifyReply> {
  // Loaded at the first request: few services are asked.
  const { createMcpHandler } = await import("@modelcontextprotocol/server");
  const handler = createMcpHandler(createServer, { keepAliveMs });
  return send(reply, await handler.fetch(toWeb(request, signal), { parsedBody: request.body }));
}

function toWeb(request: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === "string" && name !== "authorization" && name !== "content-length")
      headers.set(name, value);
  }
  const body = JSON.stringify(request.body ?? null);
  return new Request(`http://suture${request.url}`, { method: "POST", headers, body, signal });
}

function send(reply: FastifyReply, response: Response): FastifyReply {
  void reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== "cache-control") void reply.header(name, value);
  if (response.body === null) return reply.send();
  return reply.send(Readable.fromWeb(response.body));
}

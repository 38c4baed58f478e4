import type { Readable, Writable } from "node:stream";
import type { Client } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { loadPackage } from "#shared/errors";
import { boundedFetch } from "../bounded-fetch.ts";

/** Bytes of one response of the gateway. */
const RESPONSE_BYTES_MAX = 16 * 1024 * 1024;
/** Time for one call, in ms: the gateway answers before, with the id of a run that takes longer. */
const CALL_MS = 120_000;

export interface StdioOptions {
  /** Address of the gateway's server. */
  readonly url: string;
  /** API key. */
  readonly key: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly onError: (error: Error) => void;
}

/**
 * Serves the tools of a gateway over stdio, for clients that start a command. Every call goes to the gateway, with its
 * progress and its cancellation. @returns when the client has closed the input.
 */
export async function serveMcpStdio({ url, key, stdin, stdout, onError }: StdioOptions): Promise<void> {
  const sdk = await loadPackage(
    ["@modelcontextprotocol/client"],
    () => import("@modelcontextprotocol/client"),
  );
  const gateway = new sdk.Client(
    { name: "suture-stdio", version: "1" },
    { versionNegotiation: { mode: "auto" } },
  );
  await gateway.connect(
    new sdk.StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
      fetch: boundedFetch(RESPONSE_BYTES_MAX),
    }),
  );
  const transport = new StdioServerTransport(stdin, stdout);
  const ended = new Promise<void>((resolve) => stdin.once("close", resolve).once("end", resolve));
  const handle = serveStdio(() => proxyOf(gateway), { transport, onerror: onError });
  await ended;
  await handle.close();
  await gateway.close();
}

function proxyOf(gateway: Client): Server {
  const server = new Server({ name: "suture", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", async (_, { mcpReq: { signal } }) =>
    gateway.listTools(undefined, { signal, cacheMode: "bypass" }),
  );
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq: { signal, _meta, notify } }) => {
    const progressToken = _meta?.progressToken;
    const { name, arguments: given = {} } = params;
    return gateway.callTool(
      { name, arguments: given },
      {
        signal,
        timeout: CALL_MS,
        ...(progressToken === undefined
          ? {}
          : {
              onprogress: (progress) =>
                void notify({
                  method: "notifications/progress",
                  params: { ...progress, progressToken },
                }).catch(() => undefined),
            }),
      },
    );
  });
  return server;
}

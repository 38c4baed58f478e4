import type { Client } from "@modelcontextprotocol/client";
import { codeOf, loadPackage, PackageMissingError } from "#shared/errors";
import { McpServerUnavailableError } from "./errors.ts";

/** A tool as a server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: object;
  readonly outputSchema?: object | undefined;
}

/** Place of a server: a command that is started here, or an address. */
export type McpServer =
  | {
      readonly command: string;
      readonly args?: readonly string[];
      /** Its environment, beside `PATH`, `HOME`, `USER`, `LOGNAME`, `SHELL`, `TERM`; nothing else of this process. */
      readonly env?: Readonly<Record<string, string>>;
      /** Default: this process's folder. */
      readonly cwd?: string;
    }
  | {
      /** Address of a server that speaks Streamable HTTP. */
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** The optional package that speaks to servers. */
const SDK = "@modelcontextprotocol/client";
/** Time for a server to start and to say what it has, in ms. */
const CONNECT_MS = 15_000;
/** Bytes of one message of a server. A longer one ends the connection. */
const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;
const TOOLS_MAX = 1000;

const open = new Set<McpConnection>();

/** Ends all servers that this process started, and all connections. Later calls start them again. */
export async function closeMcpServers(): Promise<void> {
  await Promise.all([...open].map((connection) => connection.close()));
}

/** One server. Started at the first use, and again after its death. Safe for concurrent use. */
export class McpConnection {
  private readonly name: string;
  private readonly server: McpServer;
  private client: Promise<Client> | null = null;

  constructor(name: string, server: McpServer) {
    this.name = name;
    this.server = server;
  }

  /** Lists the server's tools as they are now. @throws {McpServerUnavailableError} */
  async list(signal: AbortSignal): Promise<readonly ListedTool[]> {
    const { tools } = await this.use(signal, (client) =>
      client.listTools(undefined, { signal, timeout: CONNECT_MS, cacheMode: "bypass" }),
    );
    return tools.slice(0, TOOLS_MAX);
  }

  /** Calls a tool. @param asked.onBroken - Error of a broken call. @throws {McpServerUnavailableError} Not sent. */
  async call(asked: {
    readonly name: string;
    readonly arguments: Record<string, unknown>;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
    readonly onBroken: (error: McpServerUnavailableError) => Error;
  }): Promise<unknown> {
    const { name, signal, timeoutMs } = asked;
    // Connected first, so that what fails afterwards may have been sent.
    await this.connected(signal);
    try {
      return await this.use(signal, (client) =>
        client.callTool({ name, arguments: asked.arguments }, { signal, timeout: timeoutMs }),
      );
    } catch (error) {
      throw error instanceof McpServerUnavailableError ? asked.onBroken(error) : error;
    }
  }

  private async use<Value>(signal: AbortSignal, work: (client: Client) => Promise<Value>): Promise<Value> {
    const client = await this.connected(signal);
    try {
      return await work(client);
    } catch (error) {
      signal.throwIfAborted();
      throw new McpServerUnavailableError(this.name, `broke off (${codeOf(error)})`, true);
    }
  }

  private async connected(signal: AbortSignal): Promise<Client> {
    signal.throwIfAborted();
    this.client ??= this.connect().catch((error: unknown) => {
      this.client = null;
      if (error instanceof PackageMissingError) throw error;
      throw new McpServerUnavailableError(this.name, `could not be reached (${codeOf(error)})`);
    });
    return this.client;
  }

  private async connect(): Promise<Client> {
    // Loaded at the first use: few agents use a server.
    const { Client: Sdk } = await loadPackage([SDK], () => import("@modelcontextprotocol/client"));
    const client = new Sdk({ name: "suture", version: "1" });
    const transport = await this.openTransport();
    const forget = (): void => {
      this.client = null;
      open.delete(this);
    };
    Object.assign(client, { onclose: forget });
    open.add(this);
    try {
      await client.connect(transport, { timeout: CONNECT_MS });
      return client;
    } catch (error) {
      open.delete(this);
      await client.close().catch(() => undefined);
      throw error;
    }
  }

  private async openTransport() {
    const { server } = this;
    if ("url" in server) {
      const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
      return new StreamableHTTPClientTransport(new URL(server.url), {
        requestInit: { headers: { ...server.headers } },
        fetch: boundedFetch(MESSAGE_BYTES_MAX),
      });
    }
    const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
    return new StdioClientTransport({
      command: server.command,
      args: [...(server.args ?? [])],
      env: { ...server.env },
      // A server may write anything there, and no log is to hold it.
      stderr: "ignore",
      maxBufferSize: MESSAGE_BYTES_MAX,
      ...(server.cwd === undefined ? {} : { cwd: server.cwd }),
    });
  }

  /** Ends the server that was started, or the connection. */
  async close(): Promise<void> {
    const client = await this.client?.catch(() => null);
    open.delete(this);
    this.client = null;
    await client?.close().catch(() => undefined);
  }
}

/** Returns a `fetch` that breaks off a response of more than `bytesMax` bytes, after decompression. */
function boundedFetch(bytesMax: number): typeof fetch {
  return async (input, init) => {
    // A redirect would take the headers, which may hold a key, to another host.
    const response = await fetch(input, { ...init, redirect: "error" });
    if (response.body === null) return response;
    let bytes = 0;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          bytes += chunk.byteLength;
          if (bytes > bytesMax) controller.error(new Error("the response is too large"));
          else controller.enqueue(chunk);
        },
      }),
    );
    return new Response(counted, response);
  };
}

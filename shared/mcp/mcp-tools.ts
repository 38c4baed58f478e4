import type { Tool } from "#shared/runtime/tools";
import { McpConnection } from "./connection.ts";
import type { McpServer } from "./connection.ts";
import { McpDefinitionError, McpToolChangedError } from "./errors.ts";
import { hashTool } from "./tool-pin.ts";
import type { McpToolPin } from "./tool-pin.ts";
import { toTool } from "./to-tool.ts";

export interface McpToolsOptions {
  /** Lower-case letters, digits, `_` and `-`, at most 32: for errors and labels. */
  readonly name: string;
  /** A command that is started, with `args`, `env` and `cwd`, or a `url` with `headers`. */
  readonly server: McpServer;
  /** By the server's name of the tool. No other tool of it is used. */
  readonly tools: Readonly<Record<string, McpToolPin>>;
}

/** Tools of one server. */
export interface McpTools {
  /**
   * Returns the declared tools, for `ctx.model`. Starts the server where it does not run.
   *
   * @throws {McpToolChangedError} A tool is not the one that was pinned, or is not there.
   * @throws {McpServerUnavailableError} The server cannot be started or reached.
   */
  open(signal: AbortSignal): Promise<readonly Tool[]>;
  /** Ends the server, or the connection. It starts again with the next use. */
  close(): Promise<void>;
}

const NAME = /^[a-z][a-z0-9_-]{0,31}$/;
const TOOL_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const HASH = /^[0-9a-f]{64}$/;

/**
 * Declares tools of an MCP server. Nothing is started before `open`.
 *
 * @throws {McpDefinitionError} A name or a hash is malformed.
 */
export function mcpTools({ name, server, tools }: McpToolsOptions): McpTools {
  if (!NAME.test(name)) throw new McpDefinitionError(name, "its name is malformed");
  if ("url" in server && !/^https?:$/.test(URL.parse(server.url)?.protocol ?? ""))
    throw new McpDefinitionError(name, "its url is no http address");
  for (const [tool, { hash, as = tool }] of Object.entries(tools)) {
    if (!HASH.test(hash))
      throw new McpDefinitionError(name, `the hash of ${tool.slice(0, 64)} is no SHA-256`);
    if (!TOOL_NAME.test(as)) throw new McpDefinitionError(name, `${as.slice(0, 64)} needs a name by \`as\``);
  }
  const connection = new McpConnection(name, server);
  const find = async (signal: AbortSignal) => {
    const listed = await connection.list(signal);
    return Object.entries(tools).map(([tool, pin]) => {
      const same = listed.filter((one) => one.name === tool);
      const [found] = same;
      // A name that stands twice is none that could be pinned.
      if (found === undefined || same.length > 1) throw new McpToolChangedError(name, { tool, hash: null });
      const hash = hashTool(found);
      if (hash !== pin.hash) throw new McpToolChangedError(name, { tool, hash });
      return { listed: found, pin };
    });
  };
  const verify = async (signal: AbortSignal): Promise<void> => void (await find(signal));
  return {
    open: async (signal) =>
      (await find(signal)).map(({ listed, pin }) =>
        toTool({ server: name, listed, pin, connection, verify }),
      ),
    close: () => connection.close(),
  };
}

/** Lists what a server has, with the hashes that pin it. Ends the server afterwards. */
export async function listMcpTools(
  server: McpServer,
  signal: AbortSignal,
): Promise<readonly { readonly name: string; readonly description: string; readonly hash: string }[]> {
  const connection = new McpConnection("server", server);
  try {
    const listed = await connection.list(signal);
    return listed.map((one) => ({
      name: one.name,
      description: one.description ?? "",
      hash: hashTool(one),
    }));
  } finally {
    await connection.close();
  }
}

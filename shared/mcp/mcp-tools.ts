import { createHash } from "node:crypto";
import { z } from "zod";
import { isRecord } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { TOOL_OUTPUT_BYTES_MAX, TOOL_TIMEOUT_MS, ToolUncertainError } from "#shared/runtime/tools";
import type { PreparedCall, Tool } from "#shared/runtime/tools";
import { canonical, validate } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { McpConnection } from "./connection.ts";
import type { ListedTool, McpServer } from "./connection.ts";
import { McpDefinitionError, McpToolChangedError } from "./errors.ts";

interface McpToolsOptions {
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
   * Returns the declared tools, for `ctx.model`; starts the server where it does not run.
   * @throws {McpToolChangedError} A tool differs from the pinned one, or is gone. {McpServerUnavailableError}
   */
  open(signal: AbortSignal): Promise<readonly Tool[]>;
  /** Ends the server, or the connection. It starts again with the next use. */
  close(): Promise<void>;
}

const NAME = /^[a-z][a-z0-9_-]{0,31}$/;
const TOOL_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const HASH = /^[0-9a-f]{64}$/;

/** Declares tools of an MCP server; starts nothing before `open`. @throws {McpDefinitionError} A malformed name. */
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
      if (found === undefined || same.length > 1) throw new McpToolChangedError(name, tool, null);
      const hash = hashTool(found);
      if (hash !== pin.hash) throw new McpToolChangedError(name, tool, hash);
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

const DESCRIPTION_CHARACTERS_MAX = 1024;

interface ServedTool {
  readonly server: string;
  readonly listed: ListedTool;
  readonly pin: McpToolPin;
  readonly connection: McpConnection;
  /** Checks that the tool is still the pinned one. */
  readonly verify: (signal: AbortSignal) => Promise<void>;
}

/** Returns a server's tool as a tool of `ctx.model`. Every call checks first that it is still the pinned one. */
function toTool({ server, listed, pin, connection, verify }: ServedTool): Tool {
  const timeoutMs = pin.timeoutMs ?? TOOL_TIMEOUT_MS;
  const name = pin.as ?? listed.name;
  const { $schema: _dialect, ...jsonSchema }: JsonSchema = { ...listed.inputSchema };
  return {
    name,
    description: (listed.description ?? name).slice(0, DESCRIPTION_CHARACTERS_MAX) || name,
    jsonSchema,
    effect: pin.effect,
    action: pin.action ?? name,
    taint: pin.taint ?? `mcp.${server}`,
    scope: "run",
    timeoutMs,
    outputBytesMax: pin.outputBytesMax ?? TOOL_OUTPUT_BYTES_MAX,
    reconcile: undefined,
    prepare: (given): PreparedCall | { readonly issues: ReturnType<typeof validate> } => {
      if (!isRecord(given)) return { issues: [{ path: "", code: "not_an_object", message: "no object" }] };
      // Arguments were parsed from JSON text.
      const issues = validate(given as JsonValue, jsonSchema);
      if (issues.length > 0) return { issues };
      return {
        needsApproval: pin.approval ?? false,
        key: null,
        run: async ({ signal }) => {
          await verify(signal);
          const result = await connection.call({
            name: listed.name,
            arguments: { ...given },
            timeoutMs,
            signal,
            // The protocol knows no idempotency: a call that broke off may have happened.
            onBroken: (error) => (pin.effect === "write" ? new ToolUncertainError(error.message) : error),
          });
          return { ok: true, value: readResult(result) };
        },
      };
    },
  };
}

const resultSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).catch([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().catch(false),
});

/** Reads a result for the model. Texts are kept; of pictures, sounds and resources only their type. */
function readResult(result: unknown): object {
  const { content, structuredContent, isError } = resultSchema.parse(result);
  const parts = content.map((part) =>
    part.type === "text" && typeof part["text"] === "string" ? part["text"] : `[${part.type.slice(0, 64)}]`,
  );
  return {
    is_error: isError,
    text: parts.join("\n"),
    ...(structuredContent === undefined ? {} : { structured: structuredContent }),
  };
}

/** A tool of a server that an agent uses. `npx suture mcp pin` prints them. */
interface McpToolPin {
  /** SHA-256 of the tool's name, description and schemas, in hex. */
  readonly hash: string;
  /** `write`: a side effect, once per call, under the agent's guard. `none`: it only reads. */
  readonly effect: "none" | "write";
  /** True: a person has to approve each call. Default false. */
  readonly approval?: boolean;
  /** Action name of a `write` for the agent's guard. Default: the tool's name. */
  readonly action?: string;
  /** Taint label of what it gives. Default: `mcp.` and the server's name. */
  readonly taint?: string;
  /** Name that the model calls it by: letters, digits, `_` and `-`. Default: its own. */
  readonly as?: string;
  /** Time limit of one call, in ms. Default 30,000. */
  readonly timeoutMs?: number;
  /** Maximum size of a result as JSON text, in bytes. Default 16 KiB. */
  readonly outputBytesMax?: number;
}

/** Returns the SHA-256, in hex, of all that a model is told of a tool: its name, description and schemas. */
function hashTool({ name, description, inputSchema, outputSchema }: ListedTool): string {
  const told = { name, description: description ?? "", inputSchema, outputSchema: outputSchema ?? null };
  // It came as JSON.
  const text = canonical(JSON.parse(JSON.stringify(told)) as JsonValue);
  return createHash("sha256").update(text).digest("hex");
}

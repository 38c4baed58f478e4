import { z } from "zod";
import type { JsonSchema } from "#shared/json";
import { isRecord } from "#shared/json";
import { TOOL_OUTPUT_BYTES_MAX, TOOL_TIMEOUT_MS, ToolUncertainError } from "#shared/runtime/tools";
import type { PreparedCall, Tool } from "#shared/runtime/tools";
import { validate } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { McpConnection } from "./connection.ts";
import type { ListedTool, McpToolPin } from "./tool-pin.ts";

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
export function toTool({ server, listed, pin, connection, verify }: ServedTool): Tool {
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

/** What a tool of a server gave, as the model reads it. */
interface McpOutput {
  /** The tool itself says that it failed. */
  readonly is_error: boolean;
  readonly text: string;
  /** Default: none. */
  readonly structured?: unknown;
}

const resultSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).catch([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().catch(false),
});

/** Reads a result. Texts are kept; of pictures, sounds and resources only their type. */
function readResult(result: unknown): McpOutput {
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

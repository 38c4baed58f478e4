import { createHash } from "node:crypto";
import { canonical } from "#shared/schema";
import type { JsonValue } from "#shared/schema";

/** A tool of a server that an agent uses. `npx suture mcp pin` prints them. */
export interface McpToolPin {
  /** SHA-256 of the tool's name, description and schemas, in hex. */
  readonly hash: string;
  /** `write`: a side effect, once per call, under the agent's guard. `none`: it only reads. */
  readonly effect: "none" | "write";
  /** Whether a person has to approve each call. Default false. */
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

/** A tool as a server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: object;
  readonly outputSchema?: object | undefined;
}

/** Returns the SHA-256, in hex, of all that a model is told of a tool: its name, description and schemas. */
export function hashTool({ name, description, inputSchema, outputSchema }: ListedTool): string {
  const told = { name, description: description ?? "", inputSchema, outputSchema: outputSchema ?? null };
  // It came as JSON.
  const text = canonical(JSON.parse(JSON.stringify(told)) as JsonValue);
  return createHash("sha256").update(text).digest("hex");
}

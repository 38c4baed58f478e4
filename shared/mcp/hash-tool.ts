import { createHash } from "node:crypto";
import { canonical } from "#shared/schema";
import type { JsonValue } from "#shared/schema";

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

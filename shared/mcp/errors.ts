import { defineError } from "#shared/errors";

/** A server's tool is not the one that was pinned, or is not there. */
export class McpToolChangedError extends defineError((server: string, tool: string, hash: string | null) => ({
  code: "MCP_TOOL_CHANGED",
  failureClass: "unsafe",
  severity: "fatal",
  message:
    hash === null
      ? `MCP server ${server} has no tool ${tool.slice(0, 128)}, which is pinned.`
      : `Tool ${tool.slice(0, 128)} of MCP server ${server} is not the one that was pinned: its hash is ${hash} now.`,
  remedy:
    "Read what the server says of the tool now (`npx suture mcp pin`); pin the new hash if it is right, then release the message.",
})) {}

/** A server cannot be started or reached, or broke off; during a call, its retries are counted. */
export class McpServerUnavailableError extends defineError(
  (server: string, why: string, isOfCall = false) => ({
    code: "MCP_SERVER_UNAVAILABLE",
    failureClass: isOfCall ? "transient" : "unavailable",
    message: `MCP server ${server} ${why}.`,
    remedy: "The message waits by itself; check the server's command or address, and what it needs.",
  }),
) {}

/** A declaration of MCP tools cannot be used. A bug of its author. */
export class McpDefinitionError extends defineError((server: string, problem: string) => ({
  code: "MCP_DEFINITION",
  failureClass: "handler_error",
  severity: "fatal",
  message: `MCP server ${server.slice(0, 64)} cannot be used: ${problem}.`,
  remedy: "Correct the declaration and start again.",
})) {}

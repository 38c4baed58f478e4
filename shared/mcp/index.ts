export { closeMcpServers } from "./connection.ts";
export type { McpServer } from "./connection.ts";
export { listMcpTools, mcpTools } from "./mcp-tools.ts";
export type { McpTools } from "./mcp-tools.ts";

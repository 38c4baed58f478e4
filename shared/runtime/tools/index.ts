export { tool, TOOL_OUTPUT_BYTES_MAX, TOOL_TIMEOUT_MS } from "./define-tool.ts";
export type { PreparedCall, Tool, ToolCallContext, ToolOptions } from "./define-tool.ts";
export { ToolDefinitionError, ToolProblemError, ToolUncertainError } from "./errors.ts";
export { resumable } from "./resumable.ts";
export { callTools, StandInCalls } from "./stand-in-calls.ts";
export type { StandInTools } from "./stand-in-calls.ts";

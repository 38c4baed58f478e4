export { tool, TOOL_OUTPUT_BYTES_MAX, TOOL_TIMEOUT_MS } from "./define-tool.ts";
export type { PreparedCall, Tool } from "./define-tool.ts";
export { ToolProblemError, ToolUncertainError } from "./errors.ts";
export { recorded } from "./recorded.ts";
export { resumable } from "./resumable.ts";
export { callTools, StandInCalls } from "./stand-in-calls.ts";
export type { StandInTools } from "./stand-in-calls.ts";

export {
  tool,
  TOOL_OUTPUT_BYTES_MAX,
  TOOL_TIMEOUT_MS,
  ToolProblemError,
  ToolUncertainError,
  resumable,
} from "./define-tool.ts";
export type { PreparedCall, Tool } from "./define-tool.ts";
export { recorded, recordingKey, callTools, StandInCalls } from "./stand-in-calls.ts";
export type { StandInTools } from "./stand-in-calls.ts";

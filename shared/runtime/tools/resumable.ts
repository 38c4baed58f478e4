import type { ResumableTool } from "#shared/context";
import { ToolDefinitionError, ToolTimeoutError } from "./errors.ts";
import type { Tool } from "./define-tool.ts";
import { failed } from "./tool-outcome.ts";
import { withinTime } from "./within-time.ts";

/**
 * Returns tools in the form in which `resumeCalls` continues open calls with them: the arguments, which another agent
 * or a client wrote, are checked, and the tool's own rule of approval holds for every call.
 */
export function resumable(tools: readonly Tool[]): Readonly<Record<string, ResumableTool>> {
  const names = new Set(tools.map(({ name }) => name));
  const [first] = tools;
  if (first !== undefined && names.size < tools.length)
    throw new ToolDefinitionError(first.name, "two tools have one name");
  return Object.fromEntries(tools.map((tool) => [tool.name, toResumable(tool)]));
}

function toResumable(tool: Tool): ResumableTool {
  return {
    ...(tool.effect === "write" ? { action: tool.action } : {}),
    needsApproval: (call) => {
      const prepared = tool.prepare(call.arguments);
      return "needsApproval" in prepared && prepared.needsApproval;
    },
    run: async (call, { signal, idempotencyKey }) => {
      const prepared = tool.prepare(call.arguments);
      if ("issues" in prepared)
        return failed("bad_arguments", "The arguments do not fit the tool.", prepared.issues);
      const checked = await withinTime(
        (both) => prepared.run({ signal: both, idempotencyKey: idempotencyKey ?? call.call_id }),
        { signal, timeoutMs: tool.timeoutMs, toError: () => new ToolTimeoutError(tool.name, tool.timeoutMs) },
      );
      return checked.ok ? checked.value : failed("bad_output", "The result has another form than it should.");
    },
  };
}

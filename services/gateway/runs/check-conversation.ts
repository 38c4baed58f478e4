import type { TaskConversation } from "#shared/api";
import type { Conversation } from "#shared/envelope";
import type { Issue } from "#shared/errors";
import { TAINT_FIELD } from "#shared/guard";
import { RequestInvalidError } from "#shared/http";
import type { Agent } from "#shared/runtime";

/** Taint label of everything in a run that began with a conversation of its client's. */
const LABEL = "client_conversation";

const LISTS = ["active_calls", "pending_approvals"] as const;

type OpenCall = TaskConversation["tool_state"]["active_calls"][number];

/**
 * Checks a conversation that a client brings, and returns it as the first message holds it. A call that changes
 * something, or that its tool wants approved, waits for a person: a client decides on none.
 *
 * @throws {RequestInvalidError} A call is of no tool of the team's first agent, has arguments that the tool does not
 * take, or stands there twice.
 */
export function checkConversation(entry: Agent, { history, tool_state }: TaskConversation): Conversation {
  const tools = new Map((entry.options.resumes ?? []).map((tool) => [tool.name, tool]));
  const issues: Issue[] = [];
  const lists: Record<(typeof LISTS)[number], OpenCall[]> = { active_calls: [], pending_approvals: [] };
  const seen = new Set<string>();
  for (const list of LISTS) {
    for (const [index, call] of tool_state[list].entries()) {
      const at = `/conversation/tool_state/${list}/${index}`;
      if (seen.has(call.call_id))
        issues.push({ path: `${at}/call_id`, code: "duplicate", message: "another call has this id" });
      seen.add(call.call_id);
      const tool = tools.get(call.tool);
      const prepared = tool?.prepare(call.arguments);
      if (tool === undefined || prepared === undefined) {
        const known = [...tools.keys()].join(", ") || "none";
        issues.push({
          path: `${at}/tool`,
          code: "unknown_tool",
          message: `the first agent continues: ${known}`,
        });
      } else if ("issues" in prepared) {
        issues.push(...prepared.issues.map((issue) => ({ ...issue, path: `${at}/arguments${issue.path}` })));
      } else {
        const waits = list === "pending_approvals" || tool.effect === "write" || prepared.needsApproval;
        lists[waits ? "pending_approvals" : "active_calls"].push(call);
      }
    }
  }
  if (issues.length > 0) throw new RequestInvalidError(issues.slice(0, 100));
  const open = Object.fromEntries(Object.entries(lists).filter(([, calls]) => calls.length > 0));
  return { history, tool_state: open, metadata: { [TAINT_FIELD]: { "": [LABEL] } } };
}

import { ownedUser, TENANT_DEFAULT } from "#shared/config";
import { checkPayload } from "#shared/contract";
import { TTL_MS_DEFAULT } from "#shared/envelope/limits";
import { RequestInvalidError } from "#shared/http";
import type { Agent, Team } from "#shared/runtime";
import type { Handler } from "../gateway.ts";
import type { Caller } from "../tenancy/may-see.ts";
import { checkTerms, limitsOf, limitsUnder } from "./task-terms.ts";
import { originalQueryOf } from "./read-input.ts";
import { startRun } from "./start-run.ts";
import type { RunDraft, StartedRun, StartingCall } from "./start-run.ts";
import type { Conversation } from "#shared/envelope";
import type { Issue } from "#shared/errors";
import { TAINT_FIELD } from "#shared/guard";

type Asked = Parameters<Handler<"submitTask">>[0]["body"];

/** Options of a task, beside the team and the input. */
type TaskOptions = Omit<Asked, "team" | "input" | "webhook">;

/** A task as some form of request has brought it. */
interface TaskDraft extends Pick<RunDraft, "idempotency" | "note" | "webhook"> {
  readonly team: Team;
  readonly input: unknown;
  /** Default: none. */
  readonly options?: TaskOptions;
  /** JSON pointer to the input in the request. Default: the whole request. */
  readonly payloadAt?: string;
  /** The user's own words. Default: what of the input is text. */
  readonly originalQuery?: string;
}

/** Begins a task's run. @throws {PayloadInvalidError | PayloadContentError | RequestInvalidError} And as `startRun`. */
export async function beginTask(call: StartingCall, task: TaskDraft): Promise<StartedRun> {
  const { team, input, options = {}, payloadAt = "", idempotency } = task;
  checkPayload(team.entry.accepts, input, payloadAt);
  const constraints = checkTerms(call.gateway, team, { ...options, preferences: options.user?.preferences });
  return startRun(call, {
    team: team.name,
    first: toFirst(call, task, constraints),
    ...(task.note === undefined ? {} : { note: task.note }),
    ...(task.webhook === undefined ? {} : { webhook: task.webhook }),
    payloadAt,
    idempotency,
  });
}

function toFirst(
  { gateway, caller }: StartingCall,
  { team, input, options = {}, originalQuery }: TaskDraft,
  constraints: string[],
): RunDraft["first"] {
  const { entry } = team;
  return {
    to: entry.id,
    contract: entry.accepts.id,
    payload: input,
    user: { ...ownUser(caller, options.user), original_query: originalQuery ?? originalQueryOf(input) },
    task: {
      ...(options.priority === undefined ? {} : { priority: options.priority }),
      constraints,
    },
    ...(options.conversation === undefined
      ? {}
      : { conversation: checkConversation(entry, options.conversation) }),
    ...limitsUnder(limitsOf(team, options), constraints, gateway.store.options.taskLifeMs ?? TTL_MS_DEFAULT),
    reason: "task submitted",
  };
}

/** As long as an envelope carries an id. */
const USER_ID_CHARS_MAX = 256;

type User = NonNullable<RunDraft["first"]["user"]>;

/** The user of a request as the caller's tenant's own. @throws {RequestInvalidError} Its id is too long for that. */
export function ownUser(caller: Caller, user: User = {}): User {
  const user_id = ownedUser(caller?.tenant ?? TENANT_DEFAULT, user.user_id ?? null);
  if (user_id !== null && user_id.length > USER_ID_CHARS_MAX) {
    const message = `with the tenant's name before it, at most ${USER_ID_CHARS_MAX} characters`;
    throw new RequestInvalidError([{ path: "/user/user_id", code: "too_long", message }]);
  }
  const { subscription_tier = null, ...rest } = user;
  // A client cannot choose its own tier: only keys that operate the system vouch for it.
  const isVouched = caller?.scope === "operator" || caller?.scope === "admin";
  return { ...rest, user_id, subscription_tier: isVouched ? subscription_tier : null };
}

/** Taint label of everything in a run that began with a conversation of its client's. */
const LABEL = "client_conversation";

const LISTS = ["active_calls", "pending_approvals"] as const;

type TaskConversation = NonNullable<Asked["conversation"]>;
type OpenCall = TaskConversation["tool_state"]["active_calls"][number];

/**
 * Checks a client's conversation and returns it as the first message holds it. Calls with effects wait for a person.
 * @throws {RequestInvalidError} A call is of no tool of the entry, has bad arguments, or stands there twice.
 */
function checkConversation(entry: Agent, { history, tool_state }: TaskConversation): Conversation {
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

import type { TaskConversation } from "#shared/api";
import { TENANT_DEFAULT } from "#shared/config";
import { checkPayload } from "#shared/contract";
import { TTL_MS_DEFAULT } from "#shared/envelope/limits";
import { RequestInvalidError } from "#shared/http";
import type { Agent, Team } from "#shared/runtime";
import type { Gateway } from "../gateway.ts";
import type { Caller } from "../tenancy/may-see.ts";
import { ownUser } from "../tenancy/own-user.ts";
import { checkConversation } from "./check-conversation.ts";
import { chooseEntry } from "./choose-entry.ts";
import { limitsOf } from "./limits.ts";
import type { AskedLimits } from "./limits.ts";
import { originalQueryOf } from "./original-query.ts";
import { startRun } from "./start-run.ts";
import type { RunDraft, StartedRun } from "./start-run.ts";
import { checkTerms, limitsUnder } from "./task-terms.ts";
import type { AskedTerms } from "./task-terms.ts";

/** What a client may say of its task beside the team and the input. */
export interface TaskOptions extends AskedLimits {
  readonly user?: RunDraft["first"]["user"];
  readonly priority?: "high" | "normal" | "low";
  readonly constraints?: AskedTerms["constraints"];
  /** Turns and open calls that the task continues. Default: none. */
  readonly conversation?: TaskConversation;
}

/** A task as some form of request has brought it. */
export interface TaskDraft extends Pick<RunDraft, "payloadAt" | "idempotency" | "note" | "push"> {
  readonly team: Team;
  readonly caller: Caller;
  readonly input: unknown;
  readonly options: TaskOptions;
  readonly trace: { readonly traceparent: string; readonly tracestate: string };
  /** The user's own words. Default: what of the input is text. */
  readonly originalQuery?: string;
}

/**
 * Begins the run of a task: held against the contract of the team's first agent, sealed and accepted.
 *
 * @throws {PayloadInvalidError | PayloadContentError} The input is not what the contract says. {RequestInvalidError} It
 * asks for more than its team allows, or for preferences or constraints that the team does not take. Beside them what
 * `startRun` throws.
 */
export async function beginTask(gateway: Gateway, task: TaskDraft): Promise<StartedRun> {
  const { team, caller, input, payloadAt, idempotency } = task;
  checkPayload(team.entry.accepts, input, payloadAt);
  const constraints = checkTerms(gateway, team, {
    ...task.options,
    preferences: task.options.user?.preferences,
  });
  const entry = await chooseEntry(gateway, team);
  return startRun(gateway, {
    team: team.name,
    tenant: caller?.tenant ?? TENANT_DEFAULT,
    caller,
    first: toFirst(gateway, { entry, task, constraints }),
    ...(task.note === undefined ? {} : { note: task.note }),
    ...(task.push === undefined ? {} : { push: task.push }),
    payloadAt,
    idempotency,
  });
}

/** @param at - Place of the name in the request, as a JSON pointer. @throws {RequestInvalidError} */
export function findTeam(teams: readonly Team[], name: string, at: string): Team {
  const team = teams.find((candidate) => candidate.name === name);
  if (team !== undefined) return team;
  const known = teams.map((candidate) => candidate.name).join(", ");
  throw new RequestInvalidError([
    { path: at, code: "unknown_team", message: `known teams are ${known || "none"}` },
  ]);
}

function toFirst(
  { store }: Gateway,
  {
    entry,
    task,
    constraints,
  }: { readonly entry: Agent; readonly task: TaskDraft; readonly constraints: string[] },
): RunDraft["first"] {
  const { team, caller, input, options, trace, originalQuery } = task;
  return {
    to: entry.id,
    contract: entry.accepts.id,
    payload: input,
    ...trace,
    user: { ...ownUser(caller, options.user), original_query: originalQuery ?? originalQueryOf(input) },
    task: {
      ...(options.priority === undefined ? {} : { priority: options.priority }),
      constraints,
    },
    ...(options.conversation === undefined
      ? {}
      : { conversation: checkConversation(entry, options.conversation) }),
    ...limitsUnder(limitsOf(team, options), constraints, store.options.taskLifeMs ?? TTL_MS_DEFAULT),
    reason: "task submitted",
  };
}

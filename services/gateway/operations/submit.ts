import { RequestInvalidError } from "#shared/http";
import { HANDOFF_TYPE_DEFAULT } from "#shared/runtime";
import type { Agent, Team } from "#shared/runtime";
import type { Handler } from "../gateway.ts";
import { beginTask, ownUser } from "../runs/begin-task.ts";
import { findTeam, originalQueryOf } from "../runs/read-input.ts";
import { checkForAgent } from "../runs/check-for-agent.ts";
import { replayMessage } from "../runs/replay-message.ts";
import { startRun } from "../runs/start-run.ts";
import { checkTerms, limitsOf } from "../runs/task-terms.ts";
import { teamsFor } from "../tenancy/may-see.ts";
import { toWebhook } from "../webhook/send-webhooks.ts";
import { idempotencyOf, toStarted } from "./request-fields.ts";

/** A task comes in: checked, sealed and accepted before the answer. */
export const submitTask: Handler<"submitTask"> = async (call) => {
  const { gateway, body, request, caller } = call;
  const { team, input, webhook, ...options } = body;
  const run = await beginTask(call, {
    team: findTeam(teamsFor(gateway, caller), team, "/team"),
    input,
    options,
    ...(webhook === undefined ? {} : { webhook: toWebhook(gateway, request, webhook) }),
    payloadAt: "/input",
    idempotency: idempotencyOf(call, "submitTask", body),
  });
  return toStarted(run);
};

type Handoff = Parameters<Handler<"sendHandoff">>[0]["body"];

/** Sends a message from outside to one agent that is open to it. Invalid ones go the same way, as one custody. */
export const sendHandoff: Handler<"sendHandoff"> = async (call) => {
  const { gateway, body, caller } = call;
  const { team, agent } = findAgent(teamsFor(gateway, caller), body.target_agent);
  if (body.on_invalid === "reject") {
    const { contract, data_payload: payload } = body;
    checkForAgent({ team, agent, contract, payload });
  }
  checkTerms(gateway, team, { preferences: body.user?.preferences });
  const run = await startRun(call, {
    team: team.name,
    first: {
      to: agent.id,
      handoffType: chooseType(team, agent, body.handoff_type),
      contract: body.contract,
      payload: body.data_payload,
      user: {
        ...ownUser(caller, body.user),
        original_query: body.original_query ?? originalQueryOf(body.data_payload),
      },
      ...optionsOf(team, body),
    },
    payloadAt: "/data_payload",
    idempotency: idempotencyOf(call, "sendHandoff", body),
  });
  return toStarted(run);
};

function optionsOf(team: Team, body: Handoff) {
  return {
    task: body.priority === undefined ? {} : { priority: body.priority },
    ...limitsOf(team, body),
    reason: "sent by a producer",
  };
}

/** Returns a handoff type that the agent takes from us; others are refused here rather than there. */
function chooseType(team: Team, agent: Agent, wanted: string | undefined): string {
  const types = team.matrix.get(agent.name)?.get("gateway") ?? [];
  const type = wanted ?? types[0] ?? HANDOFF_TYPE_DEFAULT;
  if (types.includes(type)) return type;
  throw new RequestInvalidError([
    { path: "/handoff_type", code: "undeclared", message: `${agent.name} takes ${types.join(", ")}` },
  ]);
}

function findAgent(teams: readonly Team[], target: string): { team: Team; agent: Agent } {
  const name = target.split("@", 1)[0] ?? "";
  for (const team of teams) {
    const agent = team.agents.get(name);
    if (agent === undefined || (target !== name && target !== agent.id)) continue;
    if (agent.options.outside === true) return { team, agent };
    throw new RequestInvalidError([
      {
        path: "/target_agent",
        code: "closed_agent",
        message: `${name} takes nothing from outside; submit a task to ${team.name}, or declare the agent with outside: true`,
      },
    ]);
  }
  throw new RequestInvalidError([
    { path: "/target_agent", code: "unknown_agent", message: "no team has it; see /v1/agents" },
  ]);
}

/** Runs again from a recorded message, as a new run that names the message it comes from. */
export const replayRun: Handler<"replayRun"> = async (call) => {
  const { params } = call;
  const { why: _ofTheConsole, ...asked } = call.body;
  const idempotency = idempotencyOf(call, "replayRun", { ...params, ...asked });
  return toStarted(await replayMessage(call, { ...asked, runId: params.run_id, idempotency }));
};

import { TENANT_DEFAULT } from "#shared/config";
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
import { idempotencyOf, toStarted, tracestateOf } from "./request-fields.ts";

/** A task comes in: checked, sealed and accepted before the answer. */
export const submitTask: Handler<"submitTask"> = async ({ gateway, body, request, caller, traceparent }) => {
  const { team, input, webhook, ...options } = body;
  const run = await beginTask(gateway, {
    caller,
    team: findTeam(teamsFor(gateway, caller), team, "/team"),
    input,
    options,
    trace: { traceparent, tracestate: tracestateOf(request) },
    ...(webhook === undefined ? {} : { webhook: toWebhook(gateway, request, webhook) }),
    payloadAt: "/input",
    idempotency: idempotencyOf({ request, caller }, "submitTask", body),
  });
  return toStarted(run);
};

type Handoff = Parameters<Handler<"sendHandoff">>[0]["body"];

/** Sends a message from outside to one agent that is open to it. Invalid ones go the same way, as one custody. */
export const sendHandoff: Handler<"sendHandoff"> = async ({
  gateway,
  body,
  request,
  caller,
  traceparent,
}) => {
  const { team, agent } = findAgent(teamsFor(gateway, caller), body.target_agent);
  if (body.on_invalid === "reject") {
    checkForAgent({
      team,
      agent,
      contract: body.contract,
      payload: body.data_payload,
      payloadAt: "/data_payload",
    });
  }
  checkTerms(gateway, team, { preferences: body.user?.preferences });
  const run = await startRun(gateway, {
    team: team.name,
    tenant: caller?.tenant ?? TENANT_DEFAULT,
    caller,
    first: {
      to: agent.id,
      handoffType: chooseType(team, agent, body.handoff_type),
      contract: body.contract,
      payload: body.data_payload,
      traceparent,
      tracestate: tracestateOf(request),
      user: {
        ...ownUser(caller, body.user),
        original_query: body.original_query ?? originalQueryOf(body.data_payload),
      },
      ...optionsOf(team, body),
    },
    payloadAt: "/data_payload",
    idempotency: idempotencyOf({ request, caller }, "sendHandoff", body),
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

/** What the agent will take from us: refused here rather than there. */
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
export const replayRun: Handler<"replayRun"> = async ({
  gateway,
  params,
  body: { why: _ofTheConsole, ...asked },
  request,
  caller,
  traceparent,
}) =>
  toStarted(
    await replayMessage(gateway, {
      ...asked,
      runId: params.run_id,
      caller,
      trace: { traceparent, tracestate: tracestateOf(request) },
      idempotency: idempotencyOf({ request, caller }, "replayRun", { ...params, ...asked }),
    }),
  );

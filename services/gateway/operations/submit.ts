import { TENANT_DEFAULT } from "#shared/config";
import { checkPayload, PayloadContentError, PayloadInvalidError } from "#shared/contract";
import type { Envelope } from "#shared/envelope";
import { SutureError } from "#shared/errors";
import { carryTaint, inheritScope, labelsOf, readTaint, TAINT_FIELD } from "#shared/guard";
import { RequestInvalidError } from "#shared/http";
import { HANDOFF_TYPE_DEFAULT } from "#shared/runtime";
import type { Agent, Team } from "#shared/runtime";
import { NotVerifiableError } from "../errors.ts";
import type { Handler } from "../gateway.ts";
import { beginTask, ownUser } from "../runs/begin-task.ts";
import { findTeam, originalQueryOf } from "../runs/read-input.ts";
import { findRecorded, readRecorded } from "../runs/read-task.ts";
import { startRun } from "../runs/start-run.ts";
import type { RunDraft } from "../runs/start-run.ts";
import { checkTerms, limitsOf, lowerTo } from "../runs/task-terms.ts";
import { teamsFor } from "../tenancy/may-see.ts";
import { findRun } from "../tenancy/see-run.ts";
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

/**
 * Runs again from a recorded message: a new run, sealed by the gateway, that names the message it comes from. It may
 * cause no more than that message, and has its taint labels: all of them everywhere, if the payload is another one.
 */
export const replayRun: Handler<"replayRun"> = async ({
  gateway,
  params,
  body,
  request,
  caller,
  traceparent,
}) => {
  const record = await findRun(gateway, caller, params.run_id);
  const message = await findRecorded(gateway, record.run_id, body.message_id);
  const envelope = await readRecorded(gateway, record.run_id, message);
  const { team, agent } = findReceiver(teamsFor(gateway, caller), message.agent);
  const { meta } = envelope;
  const hasOwnPayload = body.data_payload !== undefined;
  const payload = hasOwnPayload ? body.data_payload : envelope.data_payload;
  if (hasOwnPayload) {
    checkForAgent({ team, agent, contract: meta.contract, payload, payloadAt: "/data_payload" });
  }
  const run = await startRun(gateway, {
    team: team.name,
    first: {
      ...repeat(hasOwnPayload ? withLabelsEverywhere(envelope) : envelope, team),
      to: agent.id,
      payload,
      traceparent,
      tracestate: tracestateOf(request),
      reason: `replay of message ${meta.message_id}`,
    },
    tenant: record.tenant,
    caller,
    note: { replay_of: meta.message_id, ...inheritScope(meta) },
    payloadAt: "/data_payload",
    idempotency: idempotencyOf({ request, caller }, "replayRun", { ...params, ...body }),
  });
  return toStarted(run);
};

/** The places that an author declared clean are those of another payload. */
function withLabelsEverywhere(envelope: Envelope): Envelope {
  const { conversation } = envelope;
  const taint = carryTaint(labelsOf(readTaint(conversation.metadata) ?? {}), []);
  if (taint === null) return envelope;
  const metadata = { ...conversation.metadata, [TAINT_FIELD]: taint };
  return { ...envelope, conversation: { ...conversation, metadata } };
}

function findReceiver(teams: readonly Team[], name: string): { team: Team; agent: Agent } {
  for (const team of teams) {
    const agent = team.agents.get(name);
    if (agent !== undefined) return { team, agent };
  }
  throw new NotVerifiableError();
}

/** What a replay takes over: user, task, conversation, life, and the limits that its team still allows. */
function repeat(envelope: Envelope, team: Team): Omit<RunDraft["first"], "to" | "payload" | "traceparent"> {
  const { meta, billing, conversation } = envelope;
  // Answers the surgeon healed belong to the steps of the run they were given in.
  const { answers: _healed, ...tool_state } = conversation.tool_state;
  const { hopsMax, ...limits } = lowerTo(team, { ...billing, hopsMax: meta.max_hops });
  return {
    contract: meta.contract,
    user: envelope.user_context,
    task: envelope.task_context,
    conversation: { ...conversation, tool_state },
    budget: { ...limits, currency: billing.currency },
    hopsMax,
    ttlMs:
      meta.expires_at === null ? null : Math.max(1, Date.parse(meta.expires_at) - Date.parse(meta.timestamp)),
    handoffType: meta.handoff_type,
    expectedOutput: meta.expected_output,
    capabilitiesRequired: meta.capabilities_required,
  };
}

/** A payload, what it claims to be, and who is to take it. */
interface PayloadForAgent {
  readonly team: Team;
  readonly agent: Agent;
  readonly contract: string;
  readonly payload: unknown;
  /** JSON pointer of the payload in the request. */
  readonly payloadAt: string;
}

/** Checks a payload, lifted to its agent's version. @throws {SutureError | RequestInvalidError} Contract; upcaster. */
function checkForAgent({ team, agent, contract, payload, payloadAt }: PayloadForAgent): void {
  checkPayload(agent.accepts, lift({ team, agent, contract, payload, payloadAt }), payloadAt);
}

function lift({ team, agent, contract, payload, payloadAt }: PayloadForAgent): unknown {
  try {
    return team.contracts.upcast(contract, agent.accepts, payload);
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    // The reader of the answer knows the request, not the payload by itself, and not the envelope.
    const isOfPayload = error instanceof PayloadInvalidError || error instanceof PayloadContentError;
    const issues = error.issues.map((issue) => ({
      ...issue,
      path: isOfPayload ? payloadAt + issue.path : issue.path.replace("/meta/contract", "/contract"),
    }));
    throw new RequestInvalidError(issues);
  }
}

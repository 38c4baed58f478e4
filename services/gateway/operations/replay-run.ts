import type { Envelope } from "#shared/envelope";
import { carryTaint, inheritScope, labelsOf, readTaint, TAINT_FIELD } from "#shared/guard";
import type { Agent, Team } from "#shared/runtime";
import { NotVerifiableError } from "../errors.ts";
import type { Handler } from "../operation.ts";
import { checkForAgent } from "../runs/check-for-agent.ts";
import { lowerTo } from "../runs/limits.ts";
import { findRecorded, readRecorded } from "../runs/read-recorded.ts";
import { startRun } from "../runs/start-run.ts";
import type { RunDraft } from "../runs/start-run.ts";
import { teamsFor } from "../tenancy/may-see.ts";
import { findRun } from "../tenancy/see-run.ts";
import { idempotencyOf, toStarted, tracestateOf } from "./request-fields.ts";

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
  const envelope = await readRecorded(gateway, message);
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

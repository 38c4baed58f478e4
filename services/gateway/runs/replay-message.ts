import type { Envelope } from "#shared/envelope";
import { carryTaint, inheritScope, labelsOf, readTaint, TAINT_FIELD } from "#shared/guard";
import type { Agent, Team } from "#shared/runtime";
import { NotVerifiableError } from "../errors.ts";
import { teamsFor } from "../tenancy/may-see.ts";
import { findRun } from "../tenancy/see-run.ts";
import { checkForAgent } from "./check-for-agent.ts";
import { findRecorded, readRecorded } from "./read-task.ts";
import { startRun } from "./start-run.ts";
import type { RunDraft, StartedRun, StartingCall } from "./start-run.ts";
import { lowerTo } from "./task-terms.ts";

/** A recorded message that somebody wants to run again. */
interface Replay extends Pick<RunDraft, "idempotency"> {
  readonly runId: string;
  /** Default: the run's first. */
  readonly message_id?: string;
  /** Default: the recorded one. */
  readonly data_payload?: unknown;
}

/**
 * Starts a new run from a recorded message, sealed by the gateway. It may cause no more than that message, and has its
 * taint labels: all of them everywhere, if the payload is another one.
 * @throws {NotFoundError | AbsentError | NotVerifiableError} And as `startRun` and the receiver's contract.
 */
export async function replayMessage(
  call: StartingCall,
  { runId, message_id, data_payload, idempotency }: Replay,
): Promise<StartedRun> {
  const { gateway, caller } = call;
  const record = await findRun(gateway, caller, runId);
  const message = await findRecorded(gateway, record.run_id, message_id);
  const envelope = await readRecorded(gateway, record.run_id, message);
  const { team, agent } = findReceiver(teamsFor(gateway, caller), message.agent);
  const { meta } = envelope;
  const hasOwnPayload = data_payload !== undefined;
  const payload = hasOwnPayload ? data_payload : envelope.data_payload;
  if (hasOwnPayload) checkForAgent({ team, agent, contract: meta.contract, payload });
  return startRun(call, {
    team: team.name,
    first: {
      ...repeat(hasOwnPayload ? withLabelsEverywhere(envelope) : envelope, team),
      to: agent.id,
      payload,
      reason: `replay of message ${meta.message_id}`,
    },
    tenant: record.tenant,
    note: { replay_of: meta.message_id, ...inheritScope(meta) },
    payloadAt: "/data_payload",
    idempotency,
  });
}

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

/** Takes over user, task, conversation, life, and the limits that the team still allows. */
function repeat(envelope: Envelope, team: Team): Omit<RunDraft["first"], "to" | "payload"> {
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

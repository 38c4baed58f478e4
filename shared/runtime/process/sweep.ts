import { derivedId, timestamp } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { open } from "#shared/envelope/seals";
import { toFailure } from "#shared/failure";
import { rankOf } from "#shared/store/runs";
import { effectsOf } from "#shared/store/settlement";
import { findAwaitingRun, findStranded, takeOut } from "#shared/store/upkeep";
import type { StrandedJob } from "#shared/store/upkeep";
import { admission } from "../settle/admission.ts";
import { branchFieldOf } from "../settle/effects.ts";
import { contractFor } from "../define/define-agent.ts";
import type { Message, Workplace } from "../deliver/delivery.ts";
import { StrandedError } from "../errors.ts";
import { messageIdOf } from "../deliver/message-job.ts";

/**
 * Opens a case for every stranded job of this agent: given up by BullMQ, or delivered in a loop. A crash between its
 * outcome and the job's removal repeats both; a late duplicate replays the outcome. @returns The number found.
 */
export async function sweepStranded(place: Workplace): Promise<number> {
  const stranded = await findStranded(place.store, place.agent.name);
  for (const job of stranded) {
    await bury(place, job);
    crashPoint("W11:after_case_before_job_gone");
    await takeOut(place.store, job);
  }
  return stranded.length;
}

async function bury(place: Workplace, job: StrandedJob): Promise<void> {
  const { store, agent } = place;
  const messageId = messageIdOf(job.jobId);
  const message = openIfGenuine(place, job);
  // The run of an unreadable message must not wait for it for ever.
  const runId =
    message?.envelope.meta.run_id ?? (await findAwaitingRun(store, { messageId, agent: agent.name })) ?? "";
  const failure = toFailure(new StrandedError(messageId, job.why), {
    agent: agent.id,
    contract: agent.accepts.id,
    direction: "run",
  });
  const event = {
    id: derivedId(messageId, "stranded"),
    run_id: runId,
    type: "quarantined" as const,
    at: timestamp(),
    message_id: messageId,
    agent: agent.name,
    detail: { class: failure.failure_class, code: failure.code, reason: failure.message },
  };
  const effects = effectsOf({
    changes:
      runId === ""
        ? []
        : [
            {
              event,
              moves: { state: "quarantined", rank: rankOf.ward(0) },
              ...branchFieldOf(message?.envelope.meta),
            },
          ],
    admissions: [
      admission(place, runId, {
        messageId,
        message,
        stored: message === null ? job.stored : JSON.parse(job.stored),
        agent: agent.name,
        contract: message === null ? agent.accepts : contractFor(agent, message.envelope.meta),
        subject: { kind: "payload" },
        disposition: "quarantine",
        failures: [failure],
        producer: message?.envelope.meta.source_agent ?? "unknown",
      }),
    ],
  });
  const outcome = JSON.stringify({ kind: "quarantined", at: event.at, code: failure.code });
  const decision = store.ledger.decideStranded({ agent: agent.name, messageId }, { outcome, effects });
  if (!(await store.settlement.settle(decision))) return;
  place.logger.error({ message_id: messageId, why: job.why }, "a stranded message is in quarantine");
}

/** Returns null for stored bytes that cannot be parsed or do not verify; they are not read. */
function openIfGenuine({ agent, keyring }: Workplace, { stored, jobId }: StrandedJob): Message | null {
  try {
    const message: unknown = JSON.parse(stored);
    return open({ message, queue: agent.name, jobId: messageIdOf(jobId), keyring });
  } catch {
    return null;
  }
}

import { derivedId, now, timestamp } from "#shared/clock";
import { open } from "#shared/envelope/seals";
import { SutureError } from "#shared/errors";
import { toFailure } from "#shared/failure";
import { rankOf } from "#shared/store/runs";
import { effectsOf } from "#shared/store/settlement";
import type { PendingAcknowledgement } from "#shared/store/settlement";
import { admission } from "../settle/admission.ts";
import { branchFieldOf } from "../deliver/branch-field.ts";
import { contractFor } from "../define/contract-for.ts";
import type { Workplace } from "../deliver/delivery.ts";
import { NotAcknowledgedError } from "../errors.ts";

/** Maximum pages of overdue handoffs per round. */
const PAGES_MAX = 20;

/**
 * Takes back handoffs of this agent that were not accepted in time, which counts as a rejection: the ward tries the
 * edge's fallbacks, then a capable agent, then a person.
 */
export async function takeBackUnaccepted(place: Workplace): Promise<number> {
  const { store, agent } = place;
  const nowMs = now();
  let takenBack = 0;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const due = await store.acknowledgements.due(agent.name, nowMs);
    if (due.length === 0) break;
    // Concurrently: nearly all were accepted long ago, and a busy process would fall behind one by one.
    const ends = await Promise.all(due.map((pending) => see(place, pending)));
    await store.acknowledgements.forget(agent.name, due);
    takenBack += ends.filter((end) => end === "taken_back").length;
  }
  return takenBack;
}

/** `accepted`: its receiver has it in its ledger, or its job is gone, which others see to. */
async function see(place: Workplace, pending: PendingAcknowledgement): Promise<"accepted" | "taken_back"> {
  const { store } = place;
  if (await store.ledger.isKnown(pending.agent, pending.messageId)) return "accepted";
  const job = await store.queues.of(pending.agent, "fresh").getJob(pending.messageId);
  return job === undefined ? "accepted" : tryToTakeBack(place, { ...pending, data: job.data });
}

/** A message that cannot be opened is quarantined by its receiver, and must not block others here. */
async function tryToTakeBack(
  place: Workplace,
  pending: { readonly messageId: string; readonly agent: string; readonly data: unknown },
): Promise<"accepted" | "taken_back"> {
  try {
    return (await takeBack(place, pending)) ? "taken_back" : "accepted";
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    place.logger.warn(
      { err: error, message_id: pending.messageId },
      "an unaccepted handoff cannot be opened",
    );
    return "accepted";
  }
}

async function takeBack(
  place: Workplace,
  pending: { readonly messageId: string; readonly agent: string; readonly data: unknown },
): Promise<boolean> {
  const { store, agent, keyring, team } = place;
  const message = open({ message: pending.data, queue: pending.agent, jobId: pending.messageId, keyring });
  const receiver = team.agents.get(pending.agent);
  const runId = message.envelope.meta.run_id;
  const failure = toFailure(new NotAcknowledgedError(pending.agent), {
    agent: receiver?.id ?? pending.agent,
    contract: message.envelope.meta.contract,
    direction: "run",
  });
  const effects = effectsOf({
    changes: [
      {
        event: {
          id: derivedId(pending.messageId, "rejected"),
          run_id: runId,
          type: "rejected",
          at: timestamp(),
          message_id: pending.messageId,
          agent: pending.agent,
          detail: { class: "rejected", code: failure.code, reason: failure.message },
        },
        moves: { state: "in_ward", rank: rankOf.ward(0) },
        ...branchFieldOf(message.envelope.meta),
      },
    ],
    admissions: [
      admission(
        { keyring, id: agent.id, team: team.name, runId },
        {
          messageId: pending.messageId,
          message,
          stored: pending.data,
          agent: pending.agent,
          contract: receiver === undefined ? null : contractFor(receiver, message.envelope.meta),
          subject: { kind: "payload" },
          disposition: "reroute",
          failures: [failure],
          producer: agent.id,
        },
      ),
    ],
  });
  const outcome = JSON.stringify({ kind: "rejected", at: timestamp(), code: failure.code });
  const settled = { outcome, digest: message.digest, effects };
  return store.settlement.settle(store.acknowledgements.decideTakeBack(pending, settled));
}

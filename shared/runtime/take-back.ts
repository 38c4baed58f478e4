import { derivedId, now, timestamp } from "#shared/clock";
import { open } from "#shared/envelope";
import { toFailure } from "#shared/failure";
import { rankOf } from "#shared/store";
import type { OutboxEntry } from "#shared/store";
import { admission } from "./admission.ts";
import type { Workplace } from "./delivery.ts";
import { NotAcknowledgedError } from "./errors.ts";

/**
 * Looks for handoffs of this agent that nobody accepted in time. Each is taken back at its receiver, which counts as a
 * rejection: the ward tries the edge's fallbacks, then a capable agent, then a person.
 */
export async function takeBackUnaccepted(place: Workplace): Promise<number> {
  const { store, agent } = place;
  let takenBack = 0;
  for (const pending of await store.acknowledgements.due(agent.name, now())) {
    const job = await store.queues.of(pending.agent, "fresh").getJob(pending.messageId);
    // Not delivered yet: our own outbox still holds it, and its time begins when it is there.
    if (job === undefined) continue;
    if (await takeBack(place, { ...pending, data: job.data })) takenBack += 1;
    await store.acknowledgements.forget(agent.name, pending);
  }
  return takenBack;
}

async function takeBack(
  place: Workplace,
  pending: { readonly messageId: string; readonly agent: string; readonly data: unknown },
): Promise<boolean> {
  const { store, agent, keyring, team } = place;
  const letter = open({ message: pending.data, queue: pending.agent, jobId: pending.messageId, keyring });
  const receiver = team.agents.get(pending.agent);
  const runId = letter.envelope.meta.run_id;
  const failure = toFailure(new NotAcknowledgedError(pending.agent), {
    agent: receiver?.id ?? pending.agent,
    contract: letter.envelope.meta.contract,
    direction: "run",
  });
  const entry: OutboxEntry = {
    id: derivedId(pending.messageId, "not_acknowledged"),
    at_ms: now(),
    sends: [],
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
      },
    ],
    admissions: [
      admission(
        { keyring, id: agent.id, team: team.name, runId },
        {
          messageId: pending.messageId,
          letter,
          stored: pending.data,
          agent: pending.agent,
          contract: receiver?.accepts ?? null,
          subject: { kind: "payload" },
          disposition: "reroute",
          failures: [failure],
          producer: agent.id,
        },
      ),
    ],
  };
  const outcome = JSON.stringify({ kind: "rejected", at: timestamp(), code: failure.code });
  const taken = await store.acknowledgements.takeBack(pending, { outcome, digest: letter.digest, entry });
  if (taken) {
    await store.outbox.deliver(entry, pending.agent);
    await store.outbox.acknowledge(pending.agent, [entry.id]);
  }
  return taken;
}

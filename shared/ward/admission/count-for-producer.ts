import { agentNameOf } from "#shared/envelope";
import { PAYLOAD_FAILURES } from "#shared/errors";
import type { Store } from "#shared/store";
import { pointOf } from "#shared/store/feedback";
import type { CaseAdmission } from "../case.ts";

/**
 * Counts a dead message for the producer of its malformed form or content. Failures of an agent's own code,
 * rejections and outages do not count.
 *
 * Not part of the case's script: a process that crashes between the two leaves a message uncounted, which is
 * acceptable for a rate.
 */
export async function countForProducer(store: Store, message: CaseAdmission): Promise<void> {
  const failure = message.failures[0];
  if (failure === undefined || failure.direction === "run") return;
  if (!PAYLOAD_FAILURES.includes(failure.failure_class)) return;
  await store.circuits.countMalformed({
    producer: message.producer,
    agent: agentNameOf(message.producer.agent),
    point: pointOf(causeOf(message)),
  });
}

/** Returns the message that its producer was handling: an answer's own message, or a payload's parent. */
function causeOf(message: CaseAdmission): string {
  if (message.subject.kind === "answer" || message.bytes === null) return message.message_id;
  const envelope: unknown = JSON.parse(message.bytes);
  const meta = fieldOf(envelope, "meta");
  const parent = fieldOf(meta, "parent_id");
  return typeof parent === "string" ? parent : message.message_id;
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

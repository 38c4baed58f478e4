import { agentNameOf } from "#shared/envelope";
import { PAYLOAD_FAILURES } from "#shared/errors";
import type { Store } from "#shared/store";
import { pointOf } from "#shared/store/feedback";
import type { CaseAdmission } from "../case.ts";

/**
 * Counts a dead message for who made what is wrong with it, if it is its form or content that is wrong. What an agent's
 * own code threw, refused or could not reach says nothing about its outputs.
 *
 * Not part of the case's own script: a process that dies between the two leaves a message uncounted, which a rate
 * bears.
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

/** The message that its producer was handling: an answer's own message, the parent of a payload's. */
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

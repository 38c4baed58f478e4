import { AbsentError } from "#shared/http";
import type { Gateway } from "../gateway.ts";

/** A message of a run and the agent it went to. */
export interface RecordedMessage {
  readonly message_id: string;
  readonly agent: string;
}

/** One message of a run; by default its first. @throws {AbsentError} */
export async function findRecorded(
  gateway: Gateway,
  runId: string,
  messageId?: string,
): Promise<RecordedMessage> {
  const { runs } = gateway.store;
  const wanted = messageId ?? (await runs.events(runId, { from: 0, limit: 1 }))[0]?.message_id;
  const found = (await runs.messages(runId)).find((message) => message.message_id === wanted);
  if (found === undefined) throw new AbsentError("message in this run", "The run's hops name its messages.");
  return found;
}

import { CaseRecord } from "#shared/ward";
import type { Store } from "#shared/store";
import type { StoredCase } from "#shared/store/cases";
import type { OpenedDeadMessage } from "#shared/ward";

/** States of a run's message while it is in the ward. */
const DEAD: readonly string[] = ["in_ward", "quarantined"];

/**
 * Returns true when a case may report on the run and message that its record names. A verified message may; for any
 * other, the run's own record must show that this message died at this agent, because anybody can write a name.
 */
export async function concernsRun(
  store: Store,
  stored: StoredCase,
  message: OpenedDeadMessage | string,
): Promise<boolean> {
  if (typeof message !== "string" && message.envelope !== null) return true;
  const { runId, messageId, agent } = new CaseRecord(stored);
  const messages = await store.runs.messages(runId);
  const own = messages.find(({ message_id }) => message_id === messageId);
  return own !== undefined && own.agent === agent && DEAD.includes(own.state);
}

import type { Store, StoredCase } from "#shared/store";
import type { OpenedLetter } from "#shared/ward";

/** States of a run's message while it is in the ward. */
const DEAD: readonly string[] = ["in_ward", "quarantined"];

/**
 * Returns true where a case speaks for the run and the message that its record names. A letter that verified does; for
 * any other the run itself has to know that this message died at this agent, because anybody can write down a name.
 */
export async function concernsRun(
  store: Store,
  { fields }: StoredCase,
  letter: OpenedLetter | string,
): Promise<boolean> {
  if (typeof letter !== "string" && letter.envelope !== null) return true;
  const messages = await store.runs.messages(fields["run_id"] ?? "");
  const own = messages.find(({ message_id }) => message_id === fields["message_id"]);
  return own !== undefined && own.agent === fields["agent"] && DEAD.includes(own.state);
}

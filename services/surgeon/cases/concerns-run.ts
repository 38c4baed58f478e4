import type { Store, StoredCase } from "#shared/store";
import { quarantineCase } from "#shared/ward";
import type { OpenedLetter } from "#shared/ward";
import { SURGEON_ID } from "../surgery.ts";
import type { Held } from "./leased-case.ts";

/** What a run was told of a message that lies in the ward. */
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

/** Leaves a case to people whose letter cannot be read: it is not sent on. */
export async function leaveUnread(
  store: Store,
  held: Held,
  refused: { readonly letter: OpenedLetter | string; readonly diagnosis: string },
): Promise<"done"> {
  const { stored: from, fence, stay } = held;
  const isMoved = await quarantineCase(store, {
    from,
    by: SURGEON_ID,
    diagnosis: refused.diagnosis,
    operation: null,
    tellsRun: await concernsRun(store, from, refused.letter),
    fence,
  });
  if (isMoved) stay.end("quarantined");
  return "done";
}

import { agentNameOf } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";
import { SutureError } from "#shared/errors";
import type { CaseFence, StoredCase } from "#shared/store";
import { latestAdmission, openAdmission, quarantineCase } from "#shared/ward";
import type { OpenedLetter, OperationRecord } from "#shared/ward";
import type { Stay } from "./stay.ts";
import { SURGEON_ID } from "./surgery.ts";
import type { Surgery } from "./surgery.ts";

/** A case in this surgeon's hands. */
export interface Held {
  readonly stored: StoredCase;
  readonly fence: CaseFence;
  readonly stay: Stay;
  /** Aborted when the lock is lost or the process stops. */
  readonly signal: AbortSignal;
}

/**
 * The verified letter of a case, or why it cannot be believed.
 *
 * @throws {SutureError} of class `unsupported_version`: it is genuine, and a newer surgeon has to read it.
 */
export function openLetter(surgery: Surgery, stored: StoredCase): OpenedLetter | string {
  const admission = latestAdmission(stored);
  if (admission === null) return "Its letter is not kept here.";
  try {
    return openAdmission({ admission, keyring: surgery.keyring });
  } catch (error) {
    if (!(error instanceof SutureError) || error.failureClass === "unsupported_version") throw error;
    return `It cannot be believed (${error.code}).`;
  }
}

/**
 * Whether an error was thrown by the language itself: by a bug, or by a value that exhausts whoever walks it.
 * What Redis, the engine and the endpoint throw is none of these.
 */
export function isOwnFault(error: unknown): error is Error {
  return (
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof SyntaxError ||
    error instanceof ReferenceError
  );
}

export async function giveUp(
  surgery: Surgery,
  held: Held,
  diagnosis: string,
  operation: OperationRecord | null = null,
): Promise<"done"> {
  const isMoved = await quarantineCase(surgery.store, {
    from: held.stored,
    by: SURGEON_ID,
    diagnosis,
    operation,
    fence: held.fence,
  });
  if (isMoved) held.stay.end("quarantined", operation?.attempts);
  return "done";
}

/** Returns the trace context for what is sent in the letter's place. @param to - Default: the letter's receiver. */
export function traceparentOfSend(
  { stay, stored }: Held,
  letter: { readonly envelope: Envelope },
  to: string = letter.envelope.meta.target_agent,
): string {
  const { traceparent: parent } = letter.envelope.meta;
  return stay.traceparentOfSend({ parent, to: agentNameOf(to), case_id: stored.case_id });
}

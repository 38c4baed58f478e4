import { now } from "#shared/clock";
import { agentNameOf, SURGEON_ID } from "#shared/envelope";
import { SutureError } from "#shared/errors";
import { discardCase, dischargeCase, postponeCase, quarantineCase } from "#shared/ward/moves";
import type { OpenedDeadMessage, ReadDeadMessage } from "#shared/ward";
import type { OperationRecord } from "#shared/ward/moves";
import type { Proposal } from "#shared/ward/decisions";
import { concernsRun } from "./concerns-run.ts";
import type { LeasedCase } from "./leased-case.ts";

/** Delay before a case that needs another release is tried again: a share of its age, within bounds, in ms. */
const OTHER_RELEASE_MS_MIN = 2000;
const OTHER_RELEASE_MS_MAX = 60_000;
const OTHER_RELEASE_SHARE = 10;

/** Quarantines a case until a person decides. */
export async function quarantine(
  { surgery, stored: from, fence, report }: LeasedCase,
  diagnosis: string,
  more: {
    readonly operation?: OperationRecord;
    /** A change that needs a second person. */
    readonly proposal?: Proposal;
    readonly tellsRun?: boolean;
  } = {},
): Promise<"done"> {
  const { operation = null } = more;
  const isMoved = await quarantineCase(surgery.store, {
    ...more,
    from,
    by: SURGEON_ID,
    diagnosis,
    operation,
    fence,
  });
  if (isMoved) report.end("quarantined", operation?.attempts);
  return "done";
}

/** Quarantines a case whose message cannot be read. Updates its run only if the run knows the message. */
export async function quarantineUnread(
  leased: LeasedCase,
  message: OpenedDeadMessage | string,
  diagnosis: string,
): Promise<"done"> {
  return quarantine(leased, diagnosis, {
    tellsRun: await concernsRun(leased.surgery.store, leased.stored, message),
  });
}

/** Puts a case back for `delayMs`. */
export async function postpone(
  { surgery, stored: from, fence, report }: LeasedCase,
  delayMs: number,
  why: string,
): Promise<"done"> {
  await postponeCase(surgery.store, { from, by: SURGEON_ID, fence, delayMs, why });
  report.end("postponed");
  return "done";
}

/** Postpones a case that this release cannot judge: during a rolling upgrade, another release can. */
export async function waitForOtherRelease(leased: LeasedCase, why: string): Promise<"done"> {
  const { surgery, stored } = leased;
  const ageMs = now() - stored.admitted_ms;
  const delayMs = Math.min(OTHER_RELEASE_MS_MAX, Math.max(OTHER_RELEASE_MS_MIN, ageMs / OTHER_RELEASE_SHARE));
  surgery.logger.warn({ case_id: stored.case_id, why }, "a case waits for another release");
  return postpone(leased, delayMs, why);
}

/** Discards a case. */
export async function discard(
  { surgery, stored: from, fence, report }: LeasedCase,
  how: Omit<Parameters<typeof discardCase>[1], "from" | "fence">,
): Promise<"done"> {
  if (await discardCase(surgery.store, { ...how, from, fence })) report.end("discarded");
  return "done";
}

/**
 * Seals and sends a replacement of the case's message (redrive), and closes the case.
 * @returns `sent`; `lost` if the case belongs to another job by now; or the error, if no message can carry it (too
 * large, no key for its receiver).
 */
export async function discharge(
  { surgery, stored, fence, report }: LeasedCase,
  message: ReadDeadMessage,
  how: Pick<Parameters<typeof dischargeCase>[1], "remedy" | "kind" | "by" | "why" | "operation" | "detail">,
): Promise<"sent" | "lost" | SutureError> {
  const { traceparent: parent, target_agent } = message.envelope.meta;
  const to = agentNameOf(how.remedy.to ?? target_agent);
  try {
    const sent = await dischargeCase(surgery.store, {
      ...how,
      from: stored,
      message,
      keyring: surgery.keyring,
      fence,
      surgeon: SURGEON_ID,
      traceparent: report.traceparentOfSend({ parent, to, case_id: stored.case_id }),
    });
    if (sent === null) return "lost";
    report.end(how.kind, how.operation?.attempts);
    return "sent";
  } catch (error) {
    if (error instanceof SutureError) return error;
    throw error;
  }
}

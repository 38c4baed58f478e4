import { now } from "#shared/clock";
import { agentNameOf, SURGEON_ID } from "#shared/envelope";
import { SutureError } from "#shared/errors";
import type { Store } from "#shared/store";
import type { CaseFence, StoredCase } from "#shared/store/cases";
import { CaseRecord } from "#shared/ward";
import type { OpenedDeadMessage, ReadDeadMessage } from "#shared/ward";
import type { Proposal } from "#shared/ward/decisions";
import { discardCase, dischargeCase, postponeCase, quarantineCase } from "#shared/ward/moves";
import type { OperationRecord } from "#shared/ward/moves";
import type { Surgery } from "../surgery.ts";
import type { CaseReport } from "./case-report.ts";

/** A case whose job this surgeon holds. Every change is fenced by the job's lock, so a lost lock changes nothing. */
export interface LeasedCase {
  readonly surgery: Surgery;
  readonly stored: StoredCase;
  readonly fence: CaseFence;
  readonly report: CaseReport;
  /** Aborted when the lock is lost or the process stops. */
  readonly signal: AbortSignal;
}

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
    readonly updatesRun?: boolean;
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
    updatesRun: await mayUpdateRun(leased.surgery.store, leased.stored, message),
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
  const team = surgery.teams.find(({ name }) => name === message.record.team);
  try {
    const sent = await dischargeCase(surgery.store, {
      ...how,
      from: stored,
      message,
      keyring: surgery.keyring,
      untrusted: team?.agents.get(to)?.options.guard?.untrusted?.payload ?? {},
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

/** States of a run's message while it is in the ward. */
const DEAD: readonly string[] = ["in_ward", "quarantined"];

/**
 * Returns true when a case may report on the run and message that its record names. A verified message may; for any
 * other, the run's own record must show that this message died at this agent, because anybody can write a name.
 */
export async function mayUpdateRun(
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

import { now } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import type { FailureClass } from "#shared/errors";
import { LockLostError } from "#shared/store";
import type { HandedOver, OutboxEntry } from "#shared/store";
import { countPairs } from "../count-pairs.ts";
import { settlementOf } from "../settlement.ts";
import type { Settlement } from "../settlement.ts";
import type { Delivery } from "../delivery.ts";
import { RunCancelledError } from "../errors.ts";
import type { Outcome } from "../outcome.ts";
import { fail } from "./fail.ts";

/**
 * The one place where an outcome is written: behind the fence, in one script with what it sets in motion, or with an
 * entry of the outbox for it. Such an entry is delivered afterwards; if this process dies first, a relay does it.
 */
export async function settle(delivery: Delivery): Promise<Delivery> {
  if (delivery.outcome === null) return delivery;
  const written = write(delivery, delivery.outcome);
  const settlement = meetsRunLimit(written) ? await limited(written) : written.settlement;
  crashPoint("W9:before_commit");
  const committed = await commit(delivery, settlement);
  if (committed.kind === "cancelled") {
    const cancelled = fail(delivery, new RunCancelledError(delivery.hold.runId), {
      direction: "run",
      contract: null,
    });
    return settle(cancelled);
  }
  if (committed.kind === "settled_before") return { ...delivery, passed: "replayed" };
  countPairs(delivery, settlement);
  if (committed.isDelivered) return delivery;
  crashPoint("W5:after_commit_before_send");
  await deliver(delivery, settlement.entry);
  crashPoint("W6:after_send_before_outbox_clear");
  return delivery;
}

/**
 * A handoff that cannot be sealed (too large, say, or with a field that throws when it is read) is a failure of what
 * the agent made, not of Redis, which is not asked here.
 */
function write(delivery: Delivery, outcome: Outcome): Written {
  try {
    return { delivery, outcome, settlement: settlementOf(delivery, outcome) };
  } catch (error) {
    if (outcome.kind === "failed") throw error;
    const failed = fail(delivery, error, { direction: "out", contract: delivery.place.agent.accepts });
    if (failed.outcome === null) throw error;
    return { delivery: failed, outcome: failed.outcome, settlement: settlementOf(failed, failed.outcome) };
  }
}

interface Written {
  readonly delivery: Delivery;
  readonly outcome: Outcome;
  readonly settlement: Settlement;
}

/** Limits of a run as a whole: where one of its messages meets one, hundreds of others may meet it too. */
const RUN_LIMITS: readonly FailureClass[] = ["hop_limit", "loop_detected", "budget_exceeded"];

/** What a person has released is looked at again. */
function meetsRunLimit({ delivery: { letter }, outcome, settlement }: Written): boolean {
  if (outcome.kind !== "failed" || settlement.summary["kind"] !== "quarantined" || letter === null)
    return false;
  const isReleased = letter.envelope.meta.source_agent.startsWith("surgeon@");
  return RUN_LIMITS.includes(outcome.failure.failure_class) && !isReleased;
}

/**
 * The first message of a run that a limit stops waits for a person; each other one ends as failed, and its run with it
 * once nothing else is under way. A run that multiplies would else fill the ward with a case for each of its messages.
 */
async function limited({ delivery, outcome, settlement }: Written): Promise<Settlement> {
  const { hold, place } = delivery;
  // An isolated agent may not write its run: the relay decides which message is the first.
  if (place.store.isIsolated) return settlement;
  if (outcome.kind !== "failed" || (await place.store.runs.isFirstAtLimit(hold.runId, hold.messageId)))
    return settlement;
  return settlementOf(delivery, { kind: "gave_up", failure: outcome.failure });
}

function commit(delivery: Delivery, settlement: Settlement): Promise<HandedOver> {
  return delivery.place.store.handover.commit(delivery.hold, {
    scope: settlement.scope,
    outcome: JSON.stringify(settlement.summary),
    outbox: settlement.entry,
    cancellable: settlement.cancellable,
    billed: delivery.spent.toSpending(),
    timeLeftMs: timeLeftOf(delivery),
  });
}

/** Another worker's clock may be behind this one, and take what has expired here for alive. */
const CLOCKS_APART_MS = 5000;

/** Milliseconds until no worker takes the message any more; 0 for one without an expiry. */
function timeLeftOf({ letter }: Delivery): number {
  const expiresAt = letter?.envelope.meta.expires_at ?? null;
  return expiresAt === null ? 0 : Math.max(0, Date.parse(expiresAt) + CLOCKS_APART_MS - now());
}

/** A failure here loses nothing: the entry is in the outbox, and the relay delivers it, once it is confirmed. */
async function deliver(delivery: Delivery, entry: OutboxEntry): Promise<void> {
  const { place, hold } = delivery;
  try {
    await place.store.outbox.deliver(entry, hold.agent);
    place.store.outbox.forget(hold.agent, entry);
  } catch (error) {
    if (error instanceof LockLostError) throw error;
    place.logger.warn({ err: error, message_id: hold.messageId }, "left to the relay");
  }
}

import { derivedId, now, timestamp } from "#shared/clock";
import { isSurgeon } from "#shared/envelope";
import type { LedgerRecord } from "#shared/store/ledger";
import { contractFor } from "../define/contract-for.ts";
import { isDecided } from "../deliver/delivery.ts";
import type { Delivery } from "../deliver/delivery.ts";
import { CrashLoopError, ForeignBytesError, RunCancelledError } from "../errors.ts";
import { restoreLabels } from "../deliver/kept-labels.ts";
import { asPaid, callOf } from "../deliver/model-step.ts";
import { isGone } from "../process/recover-data.ts";
import { fail } from "./fail.ts";

/**
 * Reads the ledger (deduplication). A settled message stays settled: its handler does not run again. A started one
 * resumes from its recorded steps. A first delivery is marked as accepted.
 */
export function replay(delivery: Delivery): Delivery | Promise<Delivery> {
  const { message, job } = delivery;
  const accepts = !isDecided(delivery) && message !== null;
  // The ledger was read when the job was taken: an unknown message needs no second call.
  if (accepts && job.stalls === 0 && now() <= job.unseenUntilMs) {
    return isDischarge(delivery) ? withInheritedSteps(delivery) : delivery;
  }
  return ask(delivery, accepts);
}

async function ask(delivery: Delivery, accepts: boolean): Promise<Delivery> {
  const { place, job } = delivery;
  const beginning = await place.store.ledger.begin(delivery.hold, {
    at: timestamp(),
    accepts,
    stalls: job.stalls,
    mayBeBegunBefore: job.lane === "fresh",
  });
  switch (beginning.kind) {
    case "replay":
      return { ...delivery, passed: "replayed", outcome: null };
    case "foreign":
      // The stored job is gone, but the message was settled before.
      if (isGone(job)) return { ...delivery, passed: "replayed", outcome: null };
      return fail(asOtherMessage(delivery), new ForeignBytesError(delivery.hold.messageId), {
        direction: "in",
        contract: null,
      });
    case "replaced":
      return asReplaced(delivery);
    case "cancelled":
      return fail(withRecord(delivery, beginning.record), new RunCancelledError(delivery.hold.runId), {
        direction: "run",
        contract: null,
      });
    case "go": {
      const known = await withInheritedSteps(withRecord(delivery, beginning.record));
      // From the second death on, the message had the process to itself: see `handleSuspect`.
      if (accepts && beginning.deaths >= place.limits.crashesMax) {
        const error = new CrashLoopError(known.hold.messageId, beginning.deaths);
        const meta = known.message?.envelope.meta;
        const contract = meta === undefined ? place.agent.accepts : contractFor(place.agent, meta);
        return fail(known, error, { direction: "run", contract });
      }
      return known;
    }
  }
}

/**
 * Treats other bytes under a known id as another message, with its own ledger entry and case: the genuine one keeps
 * its outcome, and its run is not touched.
 */
function asOtherMessage(delivery: Delivery): Delivery {
  const { hold } = delivery;
  const messageId = derivedId("foreign", hold.messageId, hold.digest);
  return { ...delivery, message: null, hold: { ...hold, messageId, runId: "" } };
}

/**
 * Handles other bytes in place of a message that was started: the genuine ones are gone, and its run must learn that.
 * The case is opened for this message, not for another one beside it.
 */
function asReplaced(delivery: Delivery): Delivery {
  if (delivery.outcome !== null) return delivery;
  const error = new ForeignBytesError(delivery.hold.messageId);
  return fail(delivery, error, { direction: "in", contract: null });
}

function withRecord(delivery: Delivery, record: LedgerRecord): Delivery {
  for (const [name, text] of record.steps) {
    const call = callOf(name, text);
    if (call !== null) delivery.spent.add(call);
  }
  delivery.spent.raiseTo(record.billed);
  restoreLabels(delivery, record.steps);
  return { ...delivery, record };
}

/**
 * A discharged message resumes with the recorded steps of its dead message, so that they are not paid for again. It
 * records them as its own: it may die, too, and a discharge inherits from one message alone.
 */
async function withInheritedSteps(delivery: Delivery): Promise<Delivery> {
  const { parent_id: messageId = null, parent_digest: digest = null } = delivery.message?.envelope.meta ?? {};
  if (messageId === null || digest === null || !isDischarge(delivery)) return delivery;
  const { agent, store } = delivery.place;
  const inherited = await store.ledger.stepsOf(agent.name, { messageId, digest });
  if (inherited.size === 0) return delivery;
  restoreLabels(delivery, inherited);
  const steps = new Map([...inherited, ...delivery.record.steps]);
  for (const [name, result] of inherited) {
    if (delivery.record.steps.has(name)) continue;
    await store.ledger.recordStep(delivery.hold, { name, result: asPaid(name, result) });
  }
  return { ...delivery, record: { ...delivery.record, steps } };
}

function isDischarge({ message }: Delivery): boolean {
  return message !== null && isSurgeon(message.envelope.meta.source_agent);
}

import { derivedId, now, timestamp } from "#shared/clock";
import { isSurgeon } from "#shared/envelope";
import type { LedgerRecord } from "#shared/store/ledger";
import { contractFor } from "../define/contract-for.ts";
import { isDecided } from "../deliver/delivery.ts";
import type { Delivery } from "../deliver/delivery.ts";
import { CrashLoopError, ForeignBytesError, RunCancelledError } from "../errors.ts";
import { callOf } from "../deliver/model-step.ts";
import { isGone } from "../process/recover-data.ts";
import { fail } from "./fail.ts";

/**
 * Asks the ledger. A message that was settled before is settled: its handler never runs again. One that was begun goes
 * on from its recorded steps. A first delivery is marked accepted.
 */
export function replay(delivery: Delivery): Delivery | Promise<Delivery> {
  const { message, job } = delivery;
  const accepts = !isDecided(delivery) && message !== null;
  // Asked as the job was taken: a message that nobody has heard of and that is wanted needs no second question.
  if (accepts && job.stalls === 0 && now() <= job.firstHeardUntilMs) {
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
      // Only what was stored of the job is gone: the message itself was settled before.
      if (isGone(job)) return { ...delivery, passed: "replayed", outcome: null };
      return fail(asStranger(delivery), new ForeignBytesError(delivery.hold.messageId), {
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
      // If that is two or more, the last was in a handling that had the process to itself: see `handleSuspect`.
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
 * Other bytes under a known id are another message, with a book entry and a case of its own: the genuine one keeps its
 * outcome, and its run is not touched.
 */
function asStranger(delivery: Delivery): Delivery {
  const { hold } = delivery;
  const messageId = derivedId("foreign", hold.messageId, hold.digest);
  return { ...delivery, message: null, hold: { ...hold, messageId, runId: "" } };
}

/**
 * Other bytes where a begun message stood: the genuine ones are gone, and its run has to hear of it. It is this message
 * that a person gets to see, not one beside it.
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
  return { ...delivery, record };
}

/** A discharged message goes on where its dead message stood: what was paid for then is not paid for again. */
async function withInheritedSteps(delivery: Delivery): Promise<Delivery> {
  const { parent_id: messageId = null, parent_digest: digest = null } = delivery.message?.envelope.meta ?? {};
  if (messageId === null || digest === null || !isDischarge(delivery)) return delivery;
  const { agent, store } = delivery.place;
  const inherited = await store.ledger.stepsOf(agent.name, { messageId, digest });
  if (inherited.size === 0) return delivery;
  const steps = new Map([...inherited, ...delivery.record.steps]);
  return { ...delivery, record: { ...delivery.record, steps } };
}

function isDischarge({ message }: Delivery): boolean {
  return message !== null && isSurgeon(message.envelope.meta.source_agent);
}

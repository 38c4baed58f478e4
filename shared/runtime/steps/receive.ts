import { createHash } from "node:crypto";
import { derivedId, now, timestamp } from "#shared/clock";
import { checkPayload } from "#shared/contract";
import { crashPoint } from "#shared/crash-points";
import { agentNameOf, isSurgeon, senderOf } from "#shared/envelope";
import { checkLimits } from "#shared/envelope/limits";
import { open, openBytes } from "#shared/envelope/seals";
import { readTaint } from "#shared/guard";
import type { LedgerRecord } from "#shared/store/ledger";
import { findAwaitingRun } from "#shared/store/upkeep";
import { contractFor } from "../define/define-agent.ts";
import { checkDischarge, checkHandoffType } from "../deliver/check-handoff.ts";
import { isDecided } from "../deliver/delivery.ts";
import type { Delivery } from "../deliver/delivery.ts";
import { guardInput, restoreLabels } from "../deliver/guard-delivery.ts";
import { isGone, messageIdOf, recoverData } from "../deliver/message-job.ts";
import { asPaid, callOf } from "../deliver/model-step.ts";
import { checkRunRules, readTerms } from "../deliver/read-terms.ts";
import {
  CrashLoopError,
  ForeignBytesError,
  MessageGoneError,
  MissingCapabilityError,
  RunCancelledError,
} from "../errors.ts";
import { fail } from "./settle.ts";

/** Verifies the seal over the stored bytes, then parses the envelope. Lost data is replaced by kept bytes. */
export function openSeal(delivery: Delivery): Delivery | Promise<Delivery> {
  return isGone(delivery.job) ? recover(delivery) : openStored(delivery);
}

async function recover(delivery: Delivery): Promise<Delivery> {
  const { place, job, hold } = delivery;
  const known = { message_id: hold.messageId, job_id: job.jobId };
  const recovered = await recoverData(place.store, hold);
  if (recovered === null) {
    place.logger.error(known, "the data of a job was deleted: its message is in quarantine");
    return refuse(delivery, new MessageGoneError(hold.messageId));
  }
  place.logger.warn(known, "the data of a job was deleted: it is taken from the delivery before");
  return openStored({ ...delivery, job: { ...job, data: recovered.data }, attempt: recovered.attempt + 1 });
}

function openStored(delivery: Delivery): Delivery | Promise<Delivery> {
  const { place, job } = delivery;
  try {
    const { envelope, bytes, digest } = open({
      message: job.data,
      queue: place.agent.name,
      jobId: messageIdOf(job.jobId),
      keyring: place.keyring,
    });
    return {
      ...delivery,
      message: { envelope, bytes, digest },
      taint: readTaint(envelope.conversation.metadata) ?? {},
      hold: { ...delivery.hold, runId: envelope.meta.run_id, digest },
    };
  } catch (error) {
    return refuse(delivery, error);
  }
}

async function refuse(delivery: Delivery, error: unknown): Promise<Delivery> {
  const runId = await findRun(delivery);
  const digest = createHash("sha256").update(textOf(delivery)).digest("hex");
  const known = { ...delivery, hold: { ...delivery.hold, runId, digest } };
  return fail(known, error, { direction: "in", contract: null });
}

/** Returns the text that identifies an unread message: its genuine sealed text, else its whole stored form. */
function textOf({ place, job }: Delivery): string {
  try {
    const jobId = messageIdOf(job.jobId);
    return openBytes({ message: job.data, queue: place.agent.name, jobId, keyring: place.keyring }).bytes;
  } catch {
    return JSON.stringify(job.data);
  }
}

const RUN_ID = /"run_id":"([0-9a-f-]{36})"/;

/** Finds the run that waits for this message. An unverified id counts if the run's own record agrees. */
async function findRun(delivery: Delivery): Promise<string> {
  const { place, job, hold } = delivery;
  const sealed = job.data["sealed"];
  const hint = typeof sealed === "string" ? RUN_ID.exec(sealed)?.[1] : undefined;
  if (hint === undefined)
    return (await findAwaitingRun(place.store, { messageId: hold.messageId, agent: place.agent.name })) ?? "";
  const found = await place.store.runs.findMessage(hint, hold.messageId);
  return found?.agent === place.agent.name && found.state === "open" ? hint : "";
}

/** Checks the message against all limits before any work: expiry, hops, loops, budget, type, capabilities. */
export function guard(delivery: Delivery): Delivery {
  if (isDecided(delivery) || delivery.message === null) return delivery;
  const { place } = delivery;
  const { envelope } = delivery.message;
  try {
    if (isSurgeon(envelope.meta.source_agent)) checkDischarge(envelope, place);
    const extensionMs = place.store.restores.extensionMs(envelope.meta.run_id);
    checkLimits({
      envelope,
      nowMs: now(),
      extensionMs,
      agent: place.agent.name,
      loopAllowed: isLoopAllowed(delivery),
    });
    checkRunRules(place.agent.id, envelope, now() - extensionMs);
    readTerms(place.agent, envelope);
    checkHandoffType(place.team, place.agent.name, envelope.meta);
    const missing = envelope.meta.capabilities_required.filter(
      (capability) => !(place.agent.options.capabilities ?? []).includes(capability),
    );
    if (missing.length > 0) throw new MissingCapabilityError(place.agent.id, missing);
    return delivery;
  } catch (error) {
    return fail(delivery, error, { direction: "run", contract: contractFor(place.agent, envelope.meta) });
  }
}

/** Checks the edge that the message came along; for a discharge, that of its dead message. */
function isLoopAllowed({ place: { team, agent }, message }: Delivery): boolean {
  if (message === null) return false;
  const sender = agentNameOf(senderOf(message.envelope));
  return team.edges.some((edge) => edge.from === sender && edge.to === agent.name && edge.loop);
}

/** Upcasts the payload to this agent's version, checks it against the contract, and runs the declared guard. */
export function checkInput(delivery: Delivery): Delivery {
  if (isDecided(delivery) || delivery.message === null) return delivery;
  const { agent, team } = delivery.place;
  const { message } = delivery;
  const { meta, data_payload } = message.envelope;
  const contract = contractFor(agent, meta);
  try {
    const lifted = team.contracts.upcast(meta.contract, contract, data_payload);
    crashPoint("W14:after_lift");
    const input = checkPayload(contract, lifted);
    const declared = agent.options.guard;
    if (declared === undefined) return { ...delivery, input };
    return { ...delivery, input, taint: guardInput({ ...delivery, message }, { declared, input }) };
  } catch (error) {
    return fail(delivery, error, { direction: "in", contract });
  }
}

/** Reads the ledger: a settled message stays settled, a started one resumes, a first delivery is accepted. */
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

/** Treats other bytes under a known id as another message: the genuine one's outcome and run are not touched. */
function asOtherMessage(delivery: Delivery): Delivery {
  const { hold } = delivery;
  const messageId = derivedId("foreign", hold.messageId, hold.digest);
  return { ...delivery, message: null, hold: { ...hold, messageId, runId: "" } };
}

/** Handles other bytes in place of a started message, whose genuine ones are gone: its run must learn that. */
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

/** Resumes a discharged message with its dead one's recorded steps, as its own: it may die, too. */
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

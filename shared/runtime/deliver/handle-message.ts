import { followSignals, now } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { toReadable } from "#shared/failure";
import { LockLostError } from "#shared/store";
import type { DeliveredJob, Disposal } from "#shared/store/queues";
import { countOutputs } from "../settle/count-outputs.ts";
import { NOTHING_RECORDED, StepTrail } from "./delivery.ts";
import type { Delivery, Step, Workplace } from "./delivery.ts";
import { messageIdOf } from "./message-job.ts";
import { reportDelivery, traced } from "./report-delivery.ts";
import { Spent } from "./spent.ts";
import { act } from "../steps/act.ts";
import { checkInput, guard, openSeal, replay } from "../steps/receive.ts";
import { checkOutput } from "../steps/check-output.ts";
import { fail, settle } from "../steps/settle.ts";

/** Steps of a delivery after its seal is opened, which names the trace. Only `settle` writes an outcome. */
const STEPS: readonly Step[] = [guard, replay, checkInput, act, checkOutput, settle];

/**
 * Handles one delivery of a message, from the seal to the settled outcome (at-least-once). Faults of message or handler
 * become an outcome; throws only if Redis cannot be reached, and the job is redelivered.
 */
export async function handleMessage(place: Workplace, job: DeliveredJob): Promise<Disposal> {
  try {
    // A proxy reads no payload, so no message is the cause of its deaths.
    if (job.stalls === 0)
      return await place.poisonIsolation.runBesideOthers(place.stopping, () => handle(place, job));
    return await handleSuspect(place, job);
  } catch (error) {
    if (place.stopping.aborted || job.signal.aborted) return "return";
    throw error;
  }
}

/** Handles a message over which a process died or stalled. */
async function handleSuspect(place: Workplace, job: DeliveredJob): Promise<Disposal> {
  const { signal, letGo } = followSignals([place.stopping, job.signal]);
  const isLastChance = job.stalls >= place.limits.crashesMax - 1;
  try {
    return await place.poisonIsolation.run({ signal, isLastChance }, () => handle(place, job));
  } finally {
    letGo();
  }
}

async function handle(place: Workplace, job: DeliveredJob): Promise<Disposal> {
  crashPoint("W2:after_take_before_work");
  let delivery = begin(place, job);
  try {
    delivery = await handleUntilSettled(delivery);
  } catch (error) {
    if (!(error instanceof LockLostError)) throw error;
    // Nothing was settled here. BullMQ cancels by job id, so a zombie's lost lock can also abort its successor in the
    // same process: then the job is still ours and must be returned. If another worker holds it, the return is
    // refused.
    place.logger.warn({ message_id: delivery.hold.messageId, code: error.code }, "returned unsettled");
    place.metrics?.fenced.add({ agent: place.agent.name });
    return "return";
  }
  countOutputs(delivery);
  reportDelivery(delivery);
  return delivery.passed === "returned" ? "return" : "done";
}

async function handleUntilSettled(begun: Delivery): Promise<Delivery> {
  let delivery = begun;
  try {
    const verified = openSeal(delivery);
    delivery = verified instanceof Promise ? await verified : verified;
    return await traced(delivery, async (opened) => {
      delivery = opened;
      for (const step of STEPS) {
        const next = step(delivery);
        delivery = next instanceof Promise ? await next : next;
      }
      return delivery;
    });
  } catch (error) {
    if (begun.place.stopping.aborted || !isOwnFault(error)) throw error;
    return settleFault(delivery, error);
  }
}

const ENGINE_ERRORS = [TypeError, RangeError, ReferenceError, SyntaxError];

/** Returns true if an error comes from a bug here or a throwing value, not from Redis: it would recur each time. */
function isOwnFault(error: unknown): boolean {
  const readable = toReadable(error);
  const isForeign = readable !== error || !(readable instanceof Error);
  return isForeign || ENGINE_ERRORS.some((kind) => readable instanceof kind);
}

/** Counts a delivery that failed outside of every step as the agent's failure, so that its retries are bounded. */
function settleFault(delivery: Delivery, error: unknown): Promise<Delivery> {
  const { place, hold } = delivery;
  place.logger.error(
    { message_id: hold.messageId, agent: place.agent.id, err: toReadable(error) },
    "the runtime failed over a message; the delivery counts as failed",
  );
  return settle(fail({ ...delivery, passed: "no" }, error, { direction: "run", contract: null }));
}

function begin(place: Workplace, job: DeliveredJob): Delivery {
  const attempt = job.data["attempt"];
  return {
    place,
    job,
    attempt: typeof attempt === "number" && Number.isInteger(attempt) && attempt >= 0 ? attempt + 1 : 1,
    startedMs: now(),
    message: null,
    hold: {
      agent: place.agent.name,
      queue: job.queue,
      jobId: job.jobId,
      token: job.token,
      messageId: messageIdOf(job.jobId),
      runId: "",
      digest: "",
      ticket: job.ticket,
    },
    traceparent: "",
    record: NOTHING_RECORDED,
    input: undefined,
    gathered: null,
    taint: {},
    received: new Set(),
    spent: new Spent(),
    steps: new StepTrail(),
    outcome: null,
    passed: "no",
  };
}

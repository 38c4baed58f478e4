import { createContext, HandlerSignal } from "../deliver/context.ts";
import { isDecided } from "../deliver/delivery.ts";
import type { Delivery } from "../deliver/delivery.ts";
import { HandlerTimeoutError, InvalidOutcomeError } from "../errors.ts";
import type { Agent } from "../define/define-agent.ts";
import type { HandlerOutcome } from "../define/handler-context.ts";
import { toReadable } from "#shared/failure";
import { LockLostError } from "#shared/store";
import { ATTRIBUTES, isTracing, withSpan } from "#shared/telemetry";
import { actAtJoin } from "../fan-out/act-at-join.ts";
import { fail } from "./settle.ts";
import { timestamp, whenAborted } from "#shared/clock";
import { eventIdOf } from "../settle/effects.ts";

/** Runs the handler until it returns, times out, is cancelled, loses its lock or the process stops. */
export function act(delivery: Delivery): Delivery | Promise<Delivery> {
  const { message, place } = delivery;
  if (isDecided(delivery) || message === null) return delivery;
  const { collects } = place.agent.options;
  return collects === undefined
    ? runWithin(delivery)
    : actAtJoin(delivery, { message, collects, handle: runWithin });
}

function runWithin(delivery: Delivery): Delivery | Promise<Delivery> {
  const { place, job, message } = delivery;
  if (message === null) return delivery;
  const handlerSignal = new HandlerSignal([job.signal, place.stopping]);
  const { context, close } = createContext({ ...delivery, message }, handlerSignal);
  const run: Run = { delivery, handlerSignal, close, isOvertime: false };
  try {
    const made = runHandler(place.agent, () => place.agent.options.handle(delivery.input, context));
    if (isPromise(made)) return within(run, made);
    end(run);
    return withOutcome(delivery, made);
  } catch (error) {
    end(run);
    return toFailed(run, error);
  }
}

interface Run {
  readonly delivery: Delivery;
  readonly handlerSignal: HandlerSignal;
  readonly close: () => void;
  isOvertime: boolean;
}

async function within(run: Run, work: PromiseLike<HandlerOutcome>): Promise<Delivery> {
  const { delivery, handlerSignal } = run;
  const { agent, limits } = delivery.place;
  const timeoutMs = agent.options.handlerTimeoutMs ?? limits.handlerTimeoutMs;
  const timer = setTimeout(() => {
    run.isOvertime = true;
    handlerSignal.abort(new HandlerTimeoutError(agent.id, timeoutMs));
  }, timeoutMs);
  const notice = setTimeout(notifyAccepted, QUICK_MS, delivery);
  try {
    // A handler that ignores its signal is abandoned; the closed context refuses everything it still tries.
    work.then(undefined, () => undefined);
    return withOutcome(delivery, await Promise.race([work, whenAborted(handlerSignal.signal)]));
  } catch (error) {
    return toFailed(run, error);
  } finally {
    clearTimeout(timer);
    clearTimeout(notice);
    end(run);
  }
}

function end({ handlerSignal, close }: Run): void {
  handlerSignal.release();
  close();
}

/** @throws {LockLostError} Another worker holds the message. */
function toFailed({ delivery, handlerSignal, isOvertime }: Run, error: unknown): Delivery {
  const { place, job, hold } = delivery;
  if (place.stopping.aborted && !isOvertime) return { ...delivery, passed: "returned" };
  if (job.signal.aborted) throw new LockLostError(hold.messageId);
  if (toReadable(error) instanceof LockLostError) throw error;
  const thrown = isOvertime ? handlerSignal.signal.reason : error;
  return fail(delivery, thrown, { direction: "run", contract: place.agent.accepts });
}

function isPromise(made: unknown): made is PromiseLike<HandlerOutcome> {
  return typeof made === "object" && made !== null && "then" in made && typeof made.then === "function";
}

function runHandler(
  agent: Agent,
  handle: () => Promise<HandlerOutcome> | HandlerOutcome,
): Promise<HandlerOutcome> | HandlerOutcome {
  if (!isTracing()) return handle();
  const attributes = {
    [ATTRIBUTES.operation]: "invoke_agent",
    [ATTRIBUTES.agent]: agent.name,
    [ATTRIBUTES.agentVersion]: String(agent.version),
  };
  return withSpan(`invoke_agent ${agent.name}`, { attributes }, handle);
}

function withOutcome(delivery: Delivery, outcome: HandlerOutcome): Delivery {
  // Handlers in plain JavaScript, or with a cast, may return anything.
  switch (outcome?.kind) {
    case "completed":
    case "rejected":
      return { ...delivery, outcome };
    case "fanned_out": {
      const { fanOut } = outcome;
      const branches = fanOut.branches.map((draft) => ({ draft, failure: null }));
      return { ...delivery, outcome: { kind: "fanned_out", fanOut: { ...fanOut, branches } } };
    }
    case "handed_off":
      return {
        ...delivery,
        outcome: {
          kind: "handed_off",
          handoffs: outcome.handoffs.map((draft) => ({ draft, failure: null })),
        },
      };
    default:
      return fail(delivery, new InvalidOutcomeError(delivery.place.agent.id), {
        direction: "out",
        contract: null,
      });
  }
}

/** Work that ends within this time reports its acceptance with its outcome, in ms. */
const QUICK_MS = 25;

/** Reports to the run, for display, that an agent has started the message. */
function notifyAccepted(delivery: Delivery): void {
  const { place, hold, message } = delivery;
  const change = {
    event: {
      id: eventIdOf(hold, "accepted"),
      run_id: hold.runId,
      type: "accepted" as const,
      at: timestamp(delivery.startedMs),
      message_id: hold.messageId,
      agent: place.agent.name,
      detail: { hop: message?.envelope.meta.hop_count ?? 0, attempt: delivery.attempt },
    },
    starts: true,
  };
  place.store.journal.apply([change]).catch((error: unknown) => {
    place.logger.debug({ err: error, message_id: hold.messageId }, "the acceptance notice was not written");
  });
}

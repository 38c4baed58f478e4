import { followSignals } from "#shared/clock";
import { createContext } from "../context.ts";
import { isDecided } from "../delivery.ts";
import type { Delivery } from "../delivery.ts";
import { HandlerTimeoutError, InvalidOutcomeError } from "../errors.ts";
import type { Agent, HandlerOutcome } from "../define-agent.ts";
import { LockLostError } from "#shared/store";
import { ATTRIBUTES, isTracing, withSpan } from "#shared/telemetry";
import type { SpanOptions } from "#shared/telemetry";
import { tellAcceptedUnlessQuick } from "../tell-accepted.ts";
import { fail } from "./fail.ts";

/** Runs the handler, within its time, until it ends, is cancelled, loses its lock or the process stops. */
export async function act(delivery: Delivery): Promise<Delivery> {
  if (isDecided(delivery) || delivery.letter === null) return delivery;
  const { place, job, letter } = delivery;
  const timeoutMs = place.agent.options.handlerTimeoutMs ?? place.limits.handlerTimeoutMs;
  const { signal, abort, letGo } = followSignals([job.signal, place.stopping]);
  let isOvertime = false;
  const timer = setTimeout(() => {
    isOvertime = true;
    abort(new HandlerTimeoutError(place.agent.id, timeoutMs));
  }, timeoutMs);
  const callOffNotice = tellAcceptedUnlessQuick(delivery);
  const { context, close } = createContext({ ...delivery, letter }, signal);
  try {
    const work = runHandler(place.agent, () => place.agent.options.handle(delivery.input, context));
    // A handler may ignore its signal; then it is left behind, and the closed context refuses whatever it still tries.
    work.catch(() => undefined);
    const outcome = await Promise.race([work, whenAborted(signal)]);
    return withOutcome(delivery, outcome);
  } catch (error) {
    if (place.stopping.aborted && !isOvertime) return { ...delivery, passed: "returned" };
    if (job.signal.aborted) throw new LockLostError(delivery.hold.messageId);
    if (error instanceof LockLostError) throw error;
    const thrown = isOvertime ? signal.reason : error;
    return fail(delivery, thrown, { direction: "run", contract: place.agent.accepts });
  } finally {
    clearTimeout(timer);
    letGo();
    callOffNotice();
    close();
  }
}

async function runHandler(agent: Agent, handle: () => Promise<HandlerOutcome> | HandlerOutcome) {
  return isTracing() ? withSpan(`invoke_agent ${agent.name}`, spanOf(agent), handle) : handle();
}

function spanOf(agent: Agent): SpanOptions {
  return {
    attributes: {
      [ATTRIBUTES.operation]: "invoke_agent",
      [ATTRIBUTES.agent]: agent.name,
      [ATTRIBUTES.agentVersion]: String(agent.version),
    },
  };
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function withOutcome(delivery: Delivery, outcome: HandlerOutcome): Delivery {
  // Handlers in plain JavaScript, or behind a cast, may return anything.
  switch (outcome?.kind) {
    case "completed":
    case "rejected":
      return { ...delivery, outcome };
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

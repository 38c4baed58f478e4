import type { Logger } from "pino";
import type { Contract } from "#shared/contract";
import type { Context, HandoffOptions, Transitions } from "./define-agent.ts";
import type { Delivery, Letter } from "./delivery.ts";
import { doOnce } from "./effect.ts";
import { ContextClosedError, NothingGatheredError, UndeclaredTransitionError } from "./errors.ts";
import { openBoard } from "./open-board.ts";
import { toJsonText } from "./json-result.ts";
import type { Lifeline } from "./lifeline.ts";
import { askModel } from "./model-step.ts";

/**
 * What one delivery's handler works with. `close` ends it: a handler that goes on after a time-out or a lost lock can
 * record nothing any more.
 */
export function createContext(
  delivery: Delivery & { readonly letter: Letter },
  lifeline: Lifeline,
): { readonly context: Context; readonly close: () => void } {
  const { place, hold, record } = delivery;
  const { agent } = place;
  let closed = false;
  // Most handlers write nothing; a logger of their own is made for those that do.
  let log: Logger | undefined;
  const assertOpen = (): void => {
    if (closed) throw new ContextClosedError(agent.id);
    lifeline.signal.throwIfAborted();
  };
  const owner = { agent: agent.id, bytesMax: place.limits.resultBytesMax };
  const context: Context = {
    envelope: delivery.letter.envelope,
    get signal() {
      return lifeline.signal;
    },
    get log() {
      log ??= place.logger.child({
        agent: agent.id,
        run_id: hold.runId,
        message_id: hold.messageId,
        trace_id: delivery.letter.envelope.meta.trace_id,
      });
      return log;
    },
    async step(name, work) {
      assertOpen();
      const field = `step/${name}`;
      const recorded = record.steps.get(field);
      // What a step recorded is what it returned, as JSON; the type is the author's promise about `work`.
      if (recorded !== undefined) return JSON.parse(recorded);
      const result = toJsonText(await work(lifeline.signal), owner);
      assertOpen();
      return JSON.parse(await place.store.ledger.recordStep(hold, { name: field, result }));
    },
    once(key, act, options = {}) {
      assertOpen();
      return doOnce({ delivery, key, act, options, signal: lifeline.signal, assertOpen, owner });
    },
    model(step, request) {
      assertOpen();
      return askModel({ delivery, step, request, signal: lifeline.signal, assertOpen });
    },
    board(name, bounds = {}) {
      return openBoard(delivery, { name, bounds, signal: () => lifeline.signal, assertOpen });
    },
    gathered() {
      if (delivery.gathered === null) throw new NothingGatheredError(agent.id);
      return delivery.gathered;
    },
    handoff(to: string, payload: unknown, options: HandoffOptions = {}) {
      const contract = transitionsOf(agent.to).get(to);
      if (contract === undefined) throw new UndeclaredTransitionError(agent.id, to);
      return { kind: "handed_off", handoffs: [{ to, contract, payload, options }] };
    },
    complete(result) {
      return { kind: "completed", result: JSON.parse(toJsonText(result, owner)) };
    },
    reject(reason) {
      return { kind: "rejected", reason: reason.slice(0, 500) };
    },
  };
  return {
    context,
    close: () => {
      closed = true;
    },
  };
}

/** As a Map, so that `constructor` and `__proto__` are names like any other. */
function transitionsOf(to: Transitions): ReadonlyMap<string, Contract> {
  return new Map(Object.entries(to));
}

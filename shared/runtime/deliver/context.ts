import type { Logger } from "pino";
import { followSignals, now } from "#shared/clock";
import type { Following } from "#shared/clock";
import { selectFields } from "#shared/context";
import type { Contract } from "#shared/contract";
import { concealIn, concealingLogger, hasSensitive } from "#shared/masking";
import type { JsonValue } from "#shared/schema";
import { accountOfStep } from "../accounts/step-account.ts";
import { capableOf } from "../define/check-team.ts";
import type { Agent, Context, Transitions } from "../define/define-agent.ts";
import type { HandlerOutcome, HandoffDraft, HandoffOptions } from "../define/handler-context.ts";
import { ContextClosedError, NothingGatheredError, UndeclaredTransitionError } from "../errors.ts";
import { askRemote } from "../remote/ask-remote.ts";
import { ask } from "./declared-prompt.ts";
import type { Delivery, Message } from "./delivery.ts";
import { doOnce } from "./effect.ts";
import { guardAction, keepLabels, noteStep } from "./guard-delivery.ts";
import { decisionOn } from "./healed-answer.ts";
import { assertJsonDraft, toJsonText } from "./json-result.ts";
import { modelOf } from "./model-call.ts";
import { openBoard } from "./open-board.ts";
import { readTerms } from "./read-terms.ts";

/** Creates the context of one delivery's handler. After `close` it refuses everything from a late handler. */
export function createContext(
  delivery: Delivery & { readonly message: Message },
  handlerSignal: HandlerSignal,
): { readonly context: Context; readonly close: () => void } {
  const { place } = delivery;
  const { agent } = place;
  let closed = false;
  // Created on first use: most handlers do not log.
  let log: Logger | undefined;
  const assertOpen = (): void => {
    if (closed) throw new ContextClosedError(agent.id);
    handlerSignal.signal.throwIfAborted();
  };
  const owner = { agent: agent.id, bytesMax: place.limits.resultBytesMax };
  const context: Context = {
    envelope: delivery.message.envelope,
    get preferences() {
      return readTerms(agent, delivery.message.envelope).preferences;
    },
    get constraints() {
      return readTerms(agent, delivery.message.envelope).constraints;
    },
    get signal() {
      return handlerSignal.signal;
    },
    get log() {
      log ??= loggerOf(delivery);
      return log;
    },
    ...createSteps(delivery, { handlerSignal, owner, assertOpen }),
    async approve(call) {
      assertOpen();
      return decisionOn(delivery, call);
    },
    tokenCounter: () => place.tokenCounters(modelOf(delivery, undefined)),
    board(name, bounds = {}, { conversation } = {}) {
      return openBoard(delivery, {
        name,
        bounds,
        conversation,
        signal: () => handlerSignal.signal,
        assertOpen,
      });
    },
    gathered() {
      if (delivery.gathered === null) throw new NothingGatheredError(agent.id);
      return delivery.gathered;
    },
    handoff: (to: Addressee, payload: unknown, options: HandoffOptions = {}) =>
      typeof to === "string"
        ? draftHandoff(agent, { to, payload, options })
        : draftCapable(delivery, to.capability, { payload, options }),
    complete: (result) => ({ kind: "completed", result: JSON.parse(toJsonText(result, owner)) }),
    reject: (reason) => ({ kind: "rejected", reason: reason.slice(0, 500) }),
  };
  return {
    context,
    close: () => {
      closed = true;
    },
  };
}

interface StepsAround {
  readonly handlerSignal: HandlerSignal;
  readonly owner: StepToDo["owner"];
  readonly assertOpen: () => void;
}

/** Creates what is recorded as a step, and named in a failure. */
function createSteps(
  delivery: Delivery & { readonly message: Message },
  { handlerSignal, owner, assertOpen }: StepsAround,
): Pick<Context, "step" | "once" | "model" | "remote"> {
  const within = <Value>(name: string, work: () => Promise<Value>): Promise<Value> =>
    delivery.steps.within(name, async () => {
      assertOpen();
      return work();
    });
  return {
    step: (name, work) =>
      within(name, async () => {
        noteStep(delivery, name);
        return stepOnce({ delivery, name, owner, assertOpen }, () => work(handlerSignal.signal));
      }),
    once: (key, act, options = {}) =>
      within(key, async () => {
        guardAction(delivery, { key, options });
        return doOnce({ delivery, key, act, options, signal: handlerSignal.signal, assertOpen, owner });
      }),
    model: (step, request) =>
      within(step, () => ask({ delivery, step, request, signal: handlerSignal.signal, assertOpen })),
    remote: (step, request) =>
      within(step, () => askRemote({ delivery, step, request, signal: handlerSignal.signal, assertOpen })),
  };
}

type Addressee = string | { readonly capability: string };

/** Drafts a handoff by capability. Its receiver is chosen when the outcome is checked; until then it is the first. */
function draftCapable(
  { place }: Delivery,
  capability: string,
  { payload, options }: Pick<HandoffDraft, "payload" | "options">,
): HandlerOutcome<never> {
  const { agent, team } = place;
  const contract = transitionsOf(agent.options.toCapable ?? {}).get(capability);
  const [first] = capableOf(agent.name, capability, team.agents);
  if (contract === undefined || first === undefined)
    throw new UndeclaredTransitionError(agent.id, `capability ${capability}`);
  const capabilitiesRequired = [...new Set([...(options.capabilitiesRequired ?? []), capability])];
  return draftOf(agent, {
    to: first.name,
    capability,
    contract,
    payload,
    options: { ...options, capabilitiesRequired },
  });
}

function draftHandoff(
  agent: Agent,
  { to, payload, options }: Omit<HandoffDraft, "contract">,
): HandlerOutcome<never> {
  const contract = transitionsOf(agent.to).get(to);
  if (contract === undefined) throw new UndeclaredTransitionError(agent.id, to);
  const fields = agent.options.passes?.[to];
  const passed = fields === undefined ? payload : selectFields(payload, fields).value;
  return draftOf(agent, { to, contract, payload: passed, options });
}

/** Refuses here what is not JSON, so that the stack names the handler's line. */
function draftOf(agent: Agent, draft: HandoffDraft): HandlerOutcome<never> {
  assertJsonDraft(draft, agent.id);
  return { kind: "handed_off", handoffs: [draft] };
}

/** Returns a logger that removes values of the message that its contract marks as sensitive. */
function loggerOf({ place, hold, message }: Delivery & { readonly message: Message }): Logger {
  const logger = place.logger.child({
    agent: place.agent.id,
    run_id: hold.runId,
    message_id: hold.messageId,
    trace_id: message.envelope.meta.trace_id,
  });
  const { jsonSchema } = place.agent.accepts;
  if (!hasSensitive(jsonSchema)) return logger;
  // The envelope was parsed from JSON text.
  const { elsewhere } = concealIn([message.envelope.data_payload as JsonValue], jsonSchema);
  return concealingLogger(logger, elsewhere);
}

/** A Map, so that `constructor` and `__proto__` are ordinary names. */
function transitionsOf(to: Transitions): ReadonlyMap<string, Contract> {
  return new Map(Object.entries(to));
}

interface StepToDo {
  readonly delivery: Delivery;
  readonly name: string;
  readonly owner: { readonly agent: string; readonly bytesMax: number };
  readonly assertOpen: () => void;
}

/** Returns a step's recorded result, or runs the step and records it. */
async function stepOnce<Value>(
  { delivery, name, owner, assertOpen }: StepToDo,
  work: () => Promise<Value> | Value,
): Promise<Value> {
  const { place, hold, record } = delivery;
  const field = `step/${name}`;
  const recorded = record.steps.get(field);
  // A recorded step is what `work` returned, as JSON; the author's type holds for it.
  if (recorded !== undefined) return JSON.parse(recorded);
  const startedMs = now();
  const result = toJsonText(await keepLabels(delivery, work), owner);
  assertOpen();
  const step = { name: field, result, ...accountOfStep(delivery, startedMs) };
  return JSON.parse(await place.store.ledger.recordStep(hold, step));
}

/** Aborts a handler on a lost lock, shutdown or timeout. Creates its signal on first use: few handlers need it. */
export class HandlerSignal {
  private readonly sources: readonly AbortSignal[];
  private following: Following | undefined;

  constructor(sources: readonly AbortSignal[]) {
    this.sources = sources;
  }

  get signal(): AbortSignal {
    return this.follow().signal;
  }

  abort(reason: unknown): void {
    this.follow().abort(reason);
  }

  release(): void {
    this.following?.letGo();
  }

  private follow(): Following {
    this.following ??= followSignals(this.sources);
    return this.following;
  }
}

import { now, randomHex } from "#shared/clock";
import { kept } from "#shared/json";
import type { EndpointCircuitRule, EndpointCircuits } from "#shared/store/feedback";
import {
  isFailedGeneration,
  ModelAnswerTooLargeError,
  ModelCircuitOpenError,
  ModelInputRefusedError,
  ModelMisconfiguredError,
  ModelRateLimitedError,
  ModelRefusalError,
  ModelRequestRefusedError,
  ModelTimeoutError,
  ModelUnavailableError,
} from "./errors.ts";
import type { ModelAnswer, ModelCall, ModelClient } from "./model-client.ts";

type AskedEndpoint = Parameters<EndpointCircuits["report"]>[0];
type EndpointState = Omit<Awaited<ReturnType<EndpointCircuits["report"]>>, "isCleared">;
/** The part of a report that differs from call to call. */
type OwnReport = Omit<Parameters<EndpointCircuits["report"]>[1], "answeredMs" | "host" | "rule">;

/** A circuit that a process sees open, or closed again. */
export interface CircuitChange {
  readonly state: "closed" | "open";
  readonly model: string;
  /** Host of the endpoint. */
  readonly host: string;
  readonly reason: string;
  /** The last error of this process. Null: other processes failed. */
  readonly error: Error | null;
}

export interface BreakerOptions {
  /** State that all processes which ask the same endpoint share. */
  readonly ledger: Pick<EndpointCircuits, "admit" | "report">;
  readonly rule: EndpointCircuitRule;
  readonly onChange: (change: CircuitChange) => void;
  /** The ledger could not be asked. Calls go on as it was last known. */
  readonly onError: (error: unknown) => void;
}

/** Reason for which an agent's model calls wait. */
export interface PausedCalls {
  readonly model: string;
  readonly reason: string;
  readonly since_ms: number;
}

/** A client with a circuit in front of each of its models, shared with all processes that ask the same. */
export interface BreakingModelClient extends ModelClient {
  /** Returns the reason for which calls of an agent (`name@version`) wait. Null: they do not, or there were none. */
  pausedOf(agent: string): PausedCalls | null;
  /** Asks how open circuits stand, for a process that makes no calls meanwhile. */
  refresh(): Promise<void>;
}

/** Time for which a closed circuit is believed to be closed, in ms: so often Redis is asked, and told of answers. */
const BELIEVED_MS = 1000;
/** After this time another process may probe, in ms: the one that has the probe may have died, or hangs. */
const LEASE_MS = 15_000;
/** An endpoint that answered somebody within this time before takes requests of our form, in ms. */
const REFUSED_CLEARED_MS = 600_000;
const UNASKED: EndpointState = {
  state: "closed",
  generation: 0,
  reason: "",
  openedMs: 0,
  drainsUntilMs: 0,
  failures: 0,
};

const NOTHING_LEARNT: OwnReport = {
  probe: null,
  outcome: "given_up",
  reason: "",
  retryAfterMs: 0,
  clearedByAnswerSinceMs: null,
};

/**
 * Leaves alone an endpoint that keeps failing: while open one process at a time probes; then calls ramp up.
 * @throws {ModelCircuitOpenError} from `ask`, where no call may be made now. Nothing was sent.
 */
export function withBreaker(client: ModelClient, options: BreakerOptions): BreakingModelClient {
  const circuits = new Map<string, EndpointCircuit>();
  const askedBy = new Map<string, EndpointCircuit>();
  const circuitOf = (model: string): EndpointCircuit =>
    kept(circuits, model, () => new EndpointCircuit({ url: client.endpoint, model }, options));
  return {
    ...client,
    async ask(call: ModelCall): Promise<ModelAnswer> {
      const circuit = circuitOf(call.model ?? client.modelFor(call.tier));
      askedBy.set(call.agent, circuit);
      return circuit.guard(call, () => client.ask(call));
    },
    pausedOf: (agent) => askedBy.get(agent)?.paused ?? null,
    async refresh() {
      for (const circuit of circuits.values()) await circuit.refresh();
    },
  };
}

class EndpointCircuit {
  private readonly asked: AskedEndpoint;
  private readonly host: string;
  private readonly options: BreakerOptions;
  private known = UNASKED;
  private knownMs = -Infinity;
  private answeredMs = 0;
  private isFirst = true;

  constructor(asked: AskedEndpoint, options: BreakerOptions) {
    this.asked = asked;
    this.host = URL.canParse(asked.url) ? new URL(asked.url).host : "";
    this.options = options;
  }

  get paused(): PausedCalls | null {
    const { state, reason, openedMs } = this.known;
    return state === "closed" ? null : { model: this.asked.model, reason, since_ms: openedMs };
  }

  async refresh(): Promise<void> {
    if (this.known.state === "closed") return;
    await this.report(NOTHING_LEARNT, null);
  }

  async guard(call: ModelCall, ask: () => Promise<ModelAnswer>): Promise<ModelAnswer> {
    const probe = await this.admit();
    const startedMs = now();
    try {
      const answer = await ask();
      await this.answered(probe);
      return answer;
    } catch (error) {
      throw await this.judge(error, { probe, startedMs, wasAborted: call.signal.aborted });
    }
  }

  /** @returns The token of the probe that this call is; null where it is an ordinary one. */
  private async admit(): Promise<string | null> {
    const { state, failures, drainsUntilMs } = this.known;
    const isWell = state === "closed" && failures === 0 && now() >= drainsUntilMs;
    if (isWell && isRecent(this.knownMs)) return null;
    const token = randomHex(8);
    const { isFirst } = this;
    const { ledger, rule } = this.options;
    try {
      const admission = await ledger.admit(this.asked, { rule, token, leaseMs: LEASE_MS, isFirst });
      this.isFirst = false;
      this.learn(admission, null);
      if (admission.verdict === "wait") throw this.openError(admission.waitMs);
      return admission.verdict === "probe" ? token : null;
    } catch (error) {
      if (error instanceof ModelCircuitOpenError) throw error;
      this.options.onError(error);
      return null;
    }
  }

  /** Redis hears of every answer where it believes the endpoint to be ill; else of one in a while. */
  private async answered(probe: string | null): Promise<void> {
    const isKnown = isRecent(this.answeredMs);
    this.answeredMs = now();
    if (probe === null && this.known.failures === 0 && isKnown) return;
    await this.report({ ...NOTHING_LEARNT, probe, outcome: "answered" }, null);
  }

  /** @returns What the caller is to be thrown. */
  private async judge(
    error: unknown,
    call: { readonly probe: string | null; readonly startedMs: number; readonly wasAborted: boolean },
  ): Promise<unknown> {
    const { probe, startedMs } = call;
    const reason = call.wasAborted ? null : readTrouble(error);
    if (reason === "answered") {
      await this.answered(probe);
      return error;
    }
    if (reason === null) {
      if (probe !== null) await this.report({ ...NOTHING_LEARNT, probe }, null);
      return error;
    }
    const retryAfterMs = error instanceof ModelRateLimitedError ? error.retryAfterMs : 0;
    const clearedByAnswerSinceMs = clearsSince(error, startedMs);
    const report = { probe, outcome: "failed", reason, retryAfterMs, clearedByAnswerSinceMs } as const;
    const isCleared = await this.report(report, error);
    if (isCleared) return error;
    if (error instanceof ModelTimeoutError) return error.asEndpoints(probe !== null);
    return error instanceof ModelRequestRefusedError ? error.asSettings() : error;
  }

  /** @returns Whether the failure is not the endpoint's. */
  private async report(report: OwnReport, error: unknown): Promise<boolean> {
    const { host, answeredMs } = this;
    const { ledger, rule } = this.options;
    try {
      const told = { ...report, rule, host, answeredMs };
      const { isCleared, ...state } = await ledger.report(this.asked, told);
      this.learn(state, error);
      return isCleared;
    } catch (failure) {
      this.options.onError(failure);
      return false;
    }
  }

  private learn(state: EndpointState, error: unknown): void {
    const before = this.known;
    this.known = state;
    this.knownMs = now();
    const hasOpened =
      state.state === "open" && (before.state === "closed" || before.generation < state.generation);
    if (!hasOpened && before.state === state.state) return;
    const { model } = this.asked;
    this.options.onChange({
      state: state.state,
      model,
      host: this.host,
      reason: state.reason,
      error: error instanceof Error ? error : null,
    });
  }

  private openError(waitMs: number): ModelCircuitOpenError {
    const { state, reason } = this.known;
    return new ModelCircuitOpenError({
      model: this.asked.model,
      retryAfterMs: Math.max(1, waitMs),
      why: state === "closed" ? "drains" : reason === "configuration" ? "configuration" : "failures",
    });
  }
}

/** Time in ms from which another's answer shows that a failure is its message's own; null: nothing does. */
function clearsSince(error: unknown, startedMs: number): number | null {
  if (error instanceof ModelTimeoutError) return (startedMs + now()) / 2;
  return error instanceof ModelRequestRefusedError ? startedMs - REFUSED_CLEARED_MS : null;
}

function isRecent(atMs: number): boolean {
  return Math.abs(now() - atMs) < BELIEVED_MS;
}

/** Reads what a failed call says of its endpoint: that it answers, why it is left alone, or nothing (null). */
function readTrouble(
  error: unknown,
): "answered" | "unavailable" | "rate_limited" | "timeout" | "configuration" | null {
  if (error instanceof ModelRateLimitedError) return "rate_limited";
  if (error instanceof ModelMisconfiguredError || error instanceof ModelRequestRefusedError)
    return "configuration";
  if (error instanceof ModelTimeoutError) return "timeout";
  if (isFailedGeneration(error)) return "answered";
  if (error instanceof ModelUnavailableError) return error.reason === "closed" ? null : "unavailable";
  const hasAnswered =
    error instanceof ModelInputRefusedError ||
    error instanceof ModelAnswerTooLargeError ||
    error instanceof ModelRefusalError;
  return hasAnswered ? "answered" : null;
}

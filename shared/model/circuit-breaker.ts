import {
  CircuitState as PolicyState,
  circuitBreaker,
  ConsecutiveBreaker,
  handleWhen,
  isBrokenCircuitError,
} from "cockatiel";
import { now } from "#shared/clock";
import {
  ModelAnswerTooLargeError,
  ModelCircuitOpenError,
  ModelInputRefusedError,
  ModelRateLimitedError,
  ModelRefusalError,
  ModelRequestRefusedError,
  ModelTimeoutError,
  ModelUnavailableError,
} from "./errors.ts";
import type { ModelAnswer, ModelCall, ModelClient } from "./model-client.ts";

export interface BreakerOptions {
  /** Failures in a row that open the circuit. Default 5. */
  readonly failuresMax?: number;
  /** Milliseconds the circuit stays open before one call may try. Default 30,000. */
  readonly openMs?: number;
}

/** A client with a circuit in front of its endpoint. */
export interface BreakingModelClient extends ModelClient {
  /** `closed`: calls go through; `open`: they fail at once; `half_open`: one is on its way to see, the others fail. */
  readonly state: "closed" | "open" | "half_open";
}

/** How soon to come back while another call is finding out whether the endpoint is well. */
const HALF_OPEN_RETRY_MS = 1_000;

/**
 * Leaves an endpoint alone that keeps failing: timeouts and unavailability count, whatever the endpoint says in good
 * health (429, a refusal, a 4xx) does not. One circuit for all three tiers, because they share the endpoint.
 *
 * @throws {ModelCircuitOpenError} from `ask`, while the circuit is not closed.
 */
export function withBreaker(client: ModelClient, options: BreakerOptions = {}): BreakingModelClient {
  const openMs = options.openMs ?? 30_000;
  let openedAtMs = 0;
  const policy = circuitBreaker(
    handleWhen((error) => countsAsFailure(error, policy.state === PolicyState.HalfOpen)),
    { halfOpenAfter: openMs, breaker: new ConsecutiveBreaker(options.failuresMax ?? 5) },
  );
  policy.onBreak(() => {
    openedAtMs = now();
  });
  const openError = (call: ModelCall, retryAfterMs: number): ModelCircuitOpenError =>
    new ModelCircuitOpenError({ model: client.modelFor(call.tier), retryAfterMs: Math.max(1, retryAfterMs) });
  return {
    rehearsal: client.rehearsal,
    modelFor: (tier) => client.modelFor(tier),
    close: () => client.close(),
    get state() {
      if (policy.state === PolicyState.HalfOpen) return "half_open";
      return policy.state === PolicyState.Closed ? "closed" : "open";
    },
    async ask(call: ModelCall): Promise<ModelAnswer> {
      // The policy would let further calls wait for the trial, without a time limit of their own.
      if (policy.state === PolicyState.HalfOpen) throw openError(call, HALF_OPEN_RETRY_MS);
      try {
        return await policy.execute(() => client.ask(call));
      } catch (error) {
        if (isBrokenCircuitError(error)) throw openError(call, openedAtMs + openMs - now());
        throw error;
      }
    },
  };
}

/** A trial that was aborted has shown nothing, so on trial only an answer of some kind closes the circuit. */
function countsAsFailure(error: unknown, isTrial: boolean): boolean {
  if (error instanceof ModelTimeoutError || error instanceof ModelUnavailableError) return true;
  return isTrial && !hasAnswered(error);
}

function hasAnswered(error: unknown): boolean {
  return (
    error instanceof ModelRateLimitedError ||
    error instanceof ModelRequestRefusedError ||
    error instanceof ModelInputRefusedError ||
    error instanceof ModelAnswerTooLargeError ||
    error instanceof ModelRefusalError
  );
}

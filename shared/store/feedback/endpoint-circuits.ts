import { createHash } from "node:crypto";
import { now, timestamp } from "#shared/clock";
import type { Keys } from "../keys.ts";
import type { RedisClient } from "../script.ts";
import { admitCall, reportCall } from "../scripts/endpoints.ts";

/** When the circuit of a model's endpoint opens, and how it closes again. Times in ms. */
export interface EndpointCircuitRule {
  /** Failures in a row, over all processes, that open it. Default 3. */
  readonly failuresMax: number;
  /** Time from opening to the first probe; doubled with each probe that fails. Default 1,000. */
  readonly probeMs: number;
  /** Longest time between two probes, and the time between any two where the settings are wrong. Default 30,000. */
  readonly probeMsMax: number;
  /** Calls in the first second after it closed; doubled every two seconds, without limit after ten. Default 10. */
  readonly drainPerSecond: number;
}

export const ENDPOINT_CIRCUIT_RULE_DEFAULT: EndpointCircuitRule = {
  failuresMax: 3,
  probeMs: 1000,
  probeMsMax: 30_000,
  drainPerSecond: 10,
};

/** One model at one endpoint, as it was asked. */
export interface AskedEndpoint {
  /** Base URL. Only its digest is kept. */
  readonly url: string;
  readonly model: string;
}

/**
 * What processes agree on about one endpoint and model.
 * - `closed`: enters at first and by a probe that was answered; leaves after `failuresMax` failures in a row.
 * - `open`: enters so; leaves by a probe that was answered. Nothing but probes is sent meanwhile.
 */
export interface EndpointState {
  readonly state: "closed" | "open";
  /** Rises by one with each opening. */
  readonly generation: number;
  /** Why it opened last; "" where it never did. */
  readonly reason: string;
  readonly openedMs: number;
  /** Until then calls are paced, because it was open; 0 where it never was. */
  readonly drainsUntilMs: number;
  /** Failures since the last answer. */
  readonly failures: number;
}

/** What may be done now: `call`, `probe` (the only call until it is reported), or `wait`. */
export interface CallAdmission extends EndpointState {
  readonly verdict: "call" | "probe" | "wait";
  /** 0 where nothing has to be waited for. */
  readonly waitMs: number;
}

/** What became of one call. */
export interface CallReport {
  /** The probe's, as `admit` was given it; null for any other call. */
  readonly probe: string | null;
  /** `given_up`: nothing was learnt of the endpoint. */
  readonly outcome: "answered" | "failed" | "given_up";
  readonly reason: string;
  /** What the server asked for; 0 where it named no time. */
  readonly retryAfterMs: number;
  /**
   * For a call that ran out of time: an answer to anybody at or after this time, in ms, means that the endpoint is
   * well. null: the failure is the endpoint's in any case.
   */
  readonly clearedByAnswerSinceMs: number | null;
  /** When this process last had an answer, in ms; 0: never. */
  readonly answeredMs: number;
  /** Name of the endpoint's host, for people. */
  readonly host: string;
}

const HOUR_MS = 3_600_000;
/** An endpoint that nobody asks is forgotten after this, in ms. */
const LIFE_MS = 24 * HOUR_MS;
/** How long a circuit has to be open before people are told, in ms; at once where the settings are wrong. */
const TOLD_AFTER_MS = 10_000;
const NOTICES_MAX = 1000;
const DRAIN_STEP_MS = 2000;
const DRAIN_STEPS = 5;

/** The circuits of models' endpoints. Every change is one script in Redis, so that processes cannot disagree. */
export class EndpointCircuits {
  private readonly redis: RedisClient;
  private readonly keys: Keys;
  private readonly isolatedAs: string | null;

  /** @param isolatedAs - The agent that keeps circuits of its own, because it may write its own slot alone. */
  constructor(redis: RedisClient, keys: Keys, isolatedAs: string | null = null) {
    this.redis = redis;
    this.keys = keys;
    this.isolatedAs = isolatedAs;
  }

  /**
   * Asks whether a call may be made now.
   *
   * @param request.token - Names the probe, where one is granted.
   * @param request.leaseMs - A probe that is not reported within this is granted anew: its process may have died.
   * @param request.isFirst - The first question of a process, whose settings may be new.
   */
  async admit(
    asked: AskedEndpoint,
    request: {
      readonly rule: EndpointCircuitRule;
      readonly token: string;
      readonly leaseMs: number;
      readonly isFirst: boolean;
    },
  ): Promise<CallAdmission> {
    const { rule, token, leaseMs, isFirst } = request;
    const reply = await admitCall.run(this.redis, {
      circuit: this.key(asked),
      nowMs: now(),
      token,
      probeLifeMs: leaseMs,
      isFirst,
      firstPerSecond: rule.drainPerSecond,
      stepMs: DRAIN_STEP_MS,
      steps: DRAIN_STEPS,
    });
    return { ...toState(reply), verdict: reply.verdict, waitMs: reply.waitMs };
  }

  /** @returns How the circuit stands, and whether the endpoint answered others while this call ran out of time. */
  async report(
    asked: AskedEndpoint,
    report: CallReport & { readonly rule: EndpointCircuitRule },
  ): Promise<EndpointState & { readonly isCleared: boolean }> {
    const { rule, host } = report;
    const at = now();
    const reply = await reportCall.run(this.redis, {
      circuit: this.key(asked),
      notices: this.keys.notices(this.isolatedAs),
      nowMs: at,
      nowText: timestamp(at),
      probe: report.probe,
      outcome: report.outcome,
      reason: report.reason,
      retryAfterMs: Math.ceil(report.retryAfterMs),
      clearedSinceMs: report.clearedByAnswerSinceMs,
      callerAnsweredMs: report.answeredMs,
      failuresMax: rule.failuresMax,
      probeMs: rule.probeMs,
      probeMsMax: rule.probeMsMax,
      toldAfterMs: TOLD_AFTER_MS,
      lifeMs: LIFE_MS,
      noticesMax: NOTICES_MAX,
      noticeFacts: JSON.stringify({ model: asked.model, host }),
    });
    return { ...toState(reply), isCleared: reply.verdict === "cleared" };
  }

  /** Never the key: a process with the right one has to find the circuit that one with a wrong one has opened. */
  private key({ url, model }: AskedEndpoint): string {
    const digest = createHash("sha256")
      .update(JSON.stringify([url, model]))
      .digest("hex")
      .slice(0, 32);
    return this.keys.endpoint(digest, this.isolatedAs);
  }
}

function toState(reply: {
  readonly state: string;
  readonly generation: number;
  readonly reason: string;
  readonly openedMs: number;
  readonly closedMs: number;
  readonly failures: number;
}): EndpointState {
  const { state, generation, reason, openedMs, closedMs, failures } = reply;
  return {
    state: state === "open" ? "open" : "closed",
    generation,
    reason,
    openedMs,
    drainsUntilMs: closedMs === 0 ? 0 : closedMs + DRAIN_STEPS * DRAIN_STEP_MS,
    failures,
  };
}

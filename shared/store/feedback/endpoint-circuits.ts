import { createHash } from "node:crypto";
import { now, timestamp } from "#shared/clock";
import { admitCall, reportCall } from "../scripts/feedback.ts";
import type { ReadBy } from "../script-reply.ts";
import { StorePart } from "../store-part.ts";

/** Settings of a model endpoint's circuit breaker. Times in ms. */
export interface EndpointCircuitRule {
  /** Consecutive failures, over all processes, that open it. Default 3. */
  readonly failuresMax: number;
  /** Time from opening to the first probe; doubled after each failed probe (exponential backoff). Default 1,000. */
  readonly probeMs: number;
  /** Maximum time between two probes; used for every probe if the settings (key, model) are wrong. Default 30,000. */
  readonly probeMsMax: number;
  /** Calls in the first second after it closed; doubled every two seconds, unlimited after ten. Default 10. */
  readonly drainPerSecond: number;
}

export const ENDPOINT_CIRCUIT_RULE_DEFAULT: EndpointCircuitRule = {
  failuresMax: 3,
  probeMs: 1000,
  probeMsMax: 30_000,
  drainPerSecond: 10,
};

/** A model at an endpoint. */
export interface AskedEndpoint {
  /** Base URL. Only its digest is stored. */
  readonly url: string;
  readonly model: string;
}

type Circuit = Omit<ReadBy<typeof reportCall.declared.reply>, "verdict">;

/**
 * Shared state of one endpoint and model.
 * - `closed`: at first, and after an answered probe; leaves after `failuresMax` consecutive failures.
 * - `open`: after that; leaves after an answered probe. Only probes are sent meanwhile.
 */
export interface EndpointState extends Omit<Circuit, "closedMs"> {
  /** End of the paced phase after an outage, in ms since the epoch; 0 if there was none. */
  readonly drainsUntilMs: number;
}

/** Verdict for a call: `call`, `probe` (the only call until it is reported), or `wait`, for so many ms. */
export type CallAdmission = EndpointState &
  Pick<ReadBy<typeof admitCall.declared.reply>, "verdict" | "waitMs">;

/** Result of one call. */
export interface CallReport {
  /** The probe's token, as returned by `admit`; null for any other call. */
  readonly probe: string | null;
  /** `given_up`: it says nothing about the endpoint. */
  readonly outcome: "answered" | "failed" | "given_up";
  readonly reason: string;
  /** Retry-After of the server, in ms; 0 if there was none. */
  readonly retryAfterMs: number;
  /** For a timed-out call: an answer to anybody from then on, in ms, proves the endpoint healthy. Null: it counts. */
  readonly clearedByAnswerSinceMs: number | null;
  /** Time of this process's last answer, in ms since the epoch; 0: never. */
  readonly answeredMs: number;
  /** Host name of the endpoint, for display. */
  readonly host: string;
}

const HOUR_MS = 3_600_000;
/** Time to live of the circuit of an unused endpoint, in ms. */
const LIFE_MS = 24 * HOUR_MS;
/** Time for which a circuit is open before a notice is sent, in ms; at once if the settings are wrong. */
const NOTICE_AFTER_MS = 10_000;
const NOTICES_MAX = 1000;
const DRAIN_STEP_MS = 2000;
const DRAIN_STEPS = 5;

/** Circuit breakers of model endpoints. Every change is one script in Redis, so that processes cannot disagree. */
export class EndpointCircuits extends StorePart {
  /**
   * Asks whether a call may be made now.
   * @param request.token - Names the probe, if one is granted.
   * @param request.leaseMs - Lease of a probe: one that is not reported in time is granted again, because its process
   * may have died.
   * @param request.isFirst - The first request of a process, whose settings may be new.
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
    const { verdict, waitMs, ...circuit } = reply;
    return { ...toState(circuit), verdict, waitMs };
  }

  /** Reports a call. @returns The circuit, and whether the endpoint answered others while this call timed out. */
  async report(
    asked: AskedEndpoint,
    report: CallReport & { readonly rule: EndpointCircuitRule },
  ): Promise<EndpointState & { readonly isCleared: boolean }> {
    const { rule, host } = report;
    const at = now();
    const reply = await reportCall.run(this.redis, {
      circuit: this.key(asked),
      notices: this.keys.notices(),
      nowMs: at,
      nowText: timestamp(at),
      probe: report.probe,
      outcome: report.outcome,
      reason: report.reason,
      // One answer of an endpoint stops nobody for longer than wrong settings do.
      retryAfterMs: Math.ceil(Math.min(report.retryAfterMs, rule.probeMsMax)),
      clearedSinceMs: report.clearedByAnswerSinceMs,
      callerAnsweredMs: report.answeredMs,
      failuresMax: rule.failuresMax,
      probeMs: rule.probeMs,
      probeMsMax: rule.probeMsMax,
      noticeAfterMs: NOTICE_AFTER_MS,
      lifeMs: LIFE_MS,
      noticesMax: NOTICES_MAX,
      noticeFacts: JSON.stringify({ model: asked.model, host }),
    });
    const { verdict, ...circuit } = reply;
    return { ...toState(circuit), isCleared: verdict === "cleared" };
  }

  /** Excludes the API key: a process with a valid key must find the circuit that an invalid one opened. */
  private key({ url, model }: AskedEndpoint): string {
    const digest = createHash("sha256")
      .update(JSON.stringify([url, model]))
      .digest("hex")
      .slice(0, 32);
    return this.keys.endpoint(digest);
  }
}

function toState({ closedMs, ...reply }: Circuit): EndpointState {
  return { ...reply, drainsUntilMs: closedMs === 0 ? 0 : closedMs + DRAIN_STEPS * DRAIN_STEP_MS };
}

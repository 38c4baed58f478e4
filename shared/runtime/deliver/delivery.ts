import type { Logger } from "pino";
import type { TokenCounters } from "#shared/context";
import type { Envelope } from "#shared/envelope";
import type { Keyring } from "#shared/envelope/keys";
import type { Failure } from "#shared/errors";
import type { RetryPolicy } from "#shared/failure";
import type { CircuitWatch } from "#shared/feedback";
import type { ModelClient } from "#shared/model";
import type { Store } from "#shared/store";
import type { Hold, LedgerRecord, Spending } from "#shared/store/ledger";
import type { DeliveredJob } from "#shared/store/queues";
import type { Counter, Histogram } from "#shared/telemetry";
import type { PoisonIsolation } from "./poison-isolation.ts";
import type { Agent, Gathered } from "../define/define-agent.ts";
import type { Team } from "../define/define-team.ts";
import type { GuardState, ReceivedLabels } from "./guard-state.ts";
import type { Outcome } from "../settle/outcome.ts";
import type { Spent } from "./spent.ts";
import type { StepTrail } from "./step-trail.ts";

/** What an agent's process shares with all its deliveries. */
export interface Workplace {
  readonly agent: Agent;
  readonly team: Team;
  readonly store: Store;
  readonly keyring: Keyring;
  readonly model: ModelClient;
  /** True if spans of model calls hold their content, redacted. */
  readonly capturesContent: boolean;
  readonly tokenCounters: TokenCounters;
  readonly logger: Logger;
  /** Null: not measured. */
  readonly metrics: DeliveryMetrics | null;
  /** Gets each failure before it is settled, unmasked. Undefined: not wanted. */
  readonly onFailure: ((failed: FailedWork) => void) | undefined;
  /** State of producers' circuits, and the counters of their outputs. One per process. */
  readonly circuits: CircuitWatch;
  readonly limits: RuntimeLimits;
  /** Aborted shortly before the shutdown grace period ends. */
  readonly stopping: AbortSignal;
  /** Runs suspected poison messages one at a time: see `poison-isolation.ts`. Shared by all agents of the process. */
  readonly poisonIsolation: PoisonIsolation;
}

/** A failure of a delivery, or of a handoff that it made. */
export interface FailedWork {
  readonly runId: string;
  readonly messageId: string;
  readonly attempt: number;
  readonly failure: Failure;
}

/** Metrics of an agent process. */
export interface DeliveryMetrics {
  readonly seconds: Histogram;
  readonly failures: Counter;
}

export interface RuntimeLimits {
  readonly retry: RetryPolicy;
  /** Deaths of a process over one message before it is quarantined. Default 3. */
  readonly crashesMax: number;
  /** Default time limit of a handler, in ms. Default 120,000. */
  readonly handlerTimeoutMs: number;
  /** Time limit of one model call, in ms. Default 60,000. */
  readonly modelTimeoutMs: number;
  /** Models that users may prefer. Default: none. */
  readonly userModels: readonly string[];
  /** Maximum size of a step's or the run's result as JSON text, in bytes. Default 64 KiB. */
  readonly resultBytesMax: number;
}

export const RUNTIME_LIMITS_DEFAULT: Omit<RuntimeLimits, "retry"> = {
  crashesMax: 3,
  handlerTimeoutMs: 120_000,
  modelTimeoutMs: 60_000,
  userModels: [],
  resultBytesMax: 64 * 1024,
};

/**
 * One delivery on its way through the steps. Each step returns it with more fields set; once `outcome` is set, the
 * remaining steps pass it on to `settle`.
 */
export interface Delivery {
  readonly place: Workplace;
  readonly job: DeliveredJob;
  /** Number of this delivery, counting only those that the retry policy counts. */
  readonly attempt: number;
  readonly startedMs: number;
  /** Set once the seal is verified; null for an unverified message. */
  readonly message: Message | null;
  readonly hold: Hold;
  /** W3C trace context of this delivery's span; with tracing off, that of the sender's envelope. */
  readonly traceparent: string;
  readonly record: LedgerRecord;
  /** The payload in the version of the handler's contract. */
  readonly input: unknown;
  /** Answers of a fan-out's branches, for the message that waited for them; null for any other. */
  readonly gathered: Gathered | null;
  /** Guard state; null if the agent declares no guard. */
  readonly guard: GuardState | null;
  /** Taint labels of what was read runBesideOthers the payload. */
  readonly received: ReceivedLabels;
  /** Cost of this message over all its deliveries. */
  readonly spent: Spent;
  readonly steps: StepTrail;
  readonly outcome: Outcome | null;
  /** `replayed`: it was settled before. `returned`: this process is stopping and returns it. */
  readonly passed: "no" | "replayed" | "returned";
}

export interface Message {
  readonly envelope: Envelope;
  readonly bytes: string;
  readonly digest: string;
}

/** Synchronous where possible, because a hop has many steps and each promise costs time. */
export type Step = (delivery: Delivery) => Delivery | Promise<Delivery>;

export const NOTHING_RECORDED: LedgerRecord = {
  acceptedAt: null,
  requeues: 0,
  billed: { costMicro: 0, tokens: 0 } satisfies Spending,
  steps: new Map(),
};

/** Returns true if the remaining steps have nothing to do. */
export function isDecided(delivery: Delivery): boolean {
  return delivery.outcome !== null || delivery.passed !== "no";
}

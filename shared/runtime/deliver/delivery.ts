import { labelsAt } from "#shared/guard";
import type { Taint } from "#shared/guard";
import type { Logger } from "pino";
import type { TokenCounters } from "#shared/context";
import type { Contract } from "#shared/contract";
import type { Branch, Envelope } from "#shared/envelope";
import type { Keyring } from "#shared/envelope/keys";
import type { Failure } from "#shared/errors";
import type { RetryPolicy } from "#shared/failure";
import type { OutputCounter } from "#shared/feedback";
import type { ModelClient } from "#shared/model";
import type { Store } from "#shared/store";
import type { Collected } from "#shared/store/fan-outs";
import type { Hold, LedgerRecord, Spending } from "#shared/store/ledger";
import type { DeliveredJob } from "#shared/store/queues";
import type { Counter, Histogram } from "#shared/telemetry";
import type { CaseSubject } from "#shared/ward";
import type { Agent, Gathered } from "../define/define-agent.ts";
import type { Team } from "../define/define-team.ts";
import type { FanOutDraft, HandoffDraft } from "../define/handler-context.ts";
import type { PoisonIsolation } from "./poison-isolation.ts";
import type { Spent } from "./spent.ts";

/** State and services that an agent's process shares with all its deliveries. */
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
  /** Counts outputs and handoffs. One per process. */
  readonly counter: OutputCounter;
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
  readonly seconds: Histogram<"agent" | "outcome">;
  readonly failures: Counter<"agent" | "class">;
  readonly waits: Histogram<"agent">;
  readonly runs: Histogram<"team">;
  /** Deliveries of messages that were settled before. */
  readonly duplicates: Counter<"agent">;
  /** Deliveries that were over before they could be settled: another worker has the message. */
  readonly fenced: Counter<"agent">;
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

/** One delivery on its way through the steps. Each returns it with more fields; `settle` writes the `outcome`. */
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
  /** Taint labels of the payload: those that came with it, and those that its receiver declares. */
  readonly taint: Taint;
  /** Taint labels of outside text that was read besides the payload; outputs inherit them. Grows. */
  readonly received: Set<string>;
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

/** Outcome of handling one message. A closed list: `settle` handles every member. */
export type Outcome =
  /** The branch of the run ends with a result. */
  | { readonly kind: "completed"; readonly result: unknown }
  /** The work continues at other agents. */
  | { readonly kind: "handed_off"; readonly handoffs: readonly CheckedHandoff[] }
  /** The work continues in several branches, which come together at a join. */
  | { readonly kind: "fanned_out"; readonly fanOut: CheckedFanOut }
  /** A branch of a fan-out returned to its join. */
  | {
      readonly kind: "collected";
      readonly as: Collected;
      readonly branch: Branch;
    }
  /** The branch of the run fails here, as declared. */
  | { readonly kind: "gave_up"; readonly failure: Failure }
  /** The agent rejects it; another one may accept it. */
  | { readonly kind: "rejected"; readonly reason: string }
  /** It failed. The route is chosen when it is settled. */
  | {
      readonly kind: "failed";
      readonly failure: Failure;
      readonly subject: CaseSubject;
      /** Contract of the subject. Null: nothing with a contract was read. */
      readonly contract: Contract | null;
      /** Retry-After of a server, in ms. */
      readonly retryAfterMs: number | null;
    };

/** A handoff with the verdict on its payload: a malformed one goes to the ward, and its sender's work is done. */
export interface CheckedHandoff {
  readonly draft: HandoffDraft;
  readonly failure: Failure | null;
}

/** A fan-out whose branches were checked one by one. The join's payload matches its contract. */
export interface CheckedFanOut extends Omit<FanOutDraft, "branches"> {
  readonly branches: readonly CheckedHandoff[];
}

/** Remembers which step of a handler an error came out of. One per delivery. */
export class StepTrail {
  #last: string | null = null;
  readonly #failed = new WeakMap<object, string>();

  /** Runs a step of the handler. */
  async within<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    this.#last = name;
    try {
      return await work();
    } catch (error) {
      if (typeof error === "object" && error !== null) this.#failed.set(error, name);
      throw error;
    }
  }

  /** Returns the step that an error was thrown in; for one of the handler's own code, the last one begun. */
  of(error: unknown): string | null {
    const failed = typeof error === "object" && error !== null ? this.#failed.get(error) : undefined;
    return failed ?? this.#last;
  }
}

/** Returns the taint labels of these places of the payload, and of everything read besides. Default: of all of it. */
export function labelsOfDelivery(
  { taint, received }: Pick<Delivery, "taint" | "received">,
  pointers: readonly string[] = [""],
): readonly string[] {
  return [...new Set([...pointers.flatMap((pointer) => labelsAt(taint, pointer)), ...received])];
}

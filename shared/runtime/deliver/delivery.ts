import type { Logger } from "pino";
import type { TokenCounters } from "#shared/context";
import type { Envelope, Keyring } from "#shared/envelope";
import type { RetryPolicy } from "#shared/failure";
import type { CircuitWatch } from "#shared/feedback";
import type { ModelClient } from "#shared/model";
import type { Store } from "#shared/store";
import type { Hold, LedgerRecord, Spending } from "#shared/store/ledger";
import type { DeliveredJob } from "#shared/store/queues";
import type { Settlement } from "#shared/store/settlement";
import type { Alone } from "./alone.ts";
import type { Agent, Gathered } from "../define/define-agent.ts";
import type { Team } from "../define/define-team.ts";
import type { GuardState } from "./guard-state.ts";
import type { ReceivedLabels } from "./received-labels.ts";
import type { DeliveryMetrics } from "./measure-deliveries.ts";
import type { Outcome } from "../settle/outcome.ts";
import type { Spent } from "./spent.ts";

/** What an agent's process lends to every delivery. */
export interface Workplace {
  readonly agent: Agent;
  readonly team: Team;
  readonly store: Store;
  /** The store's, with the ward behind it. */
  readonly settlement: Settlement;
  readonly keyring: Keyring;
  readonly model: ModelClient;
  readonly tokenCounters: TokenCounters;
  readonly logger: Logger;
  /** Null: nothing is measured. */
  readonly metrics: DeliveryMetrics | null;
  /** What is known of producers' circuits, and what their outputs are counted by. One for the whole process. */
  readonly circuits: CircuitWatch;
  readonly limits: RuntimeLimits;
  /** Aborted when the process is told to stop and the grace for work in hand is nearly over. */
  readonly stopping: AbortSignal;
  /** Held by one message at a time whose last worker died: see `alone.ts`. Shared by all agents of the process. */
  readonly alone: Alone;
}

export interface RuntimeLimits {
  readonly retry: RetryPolicy;
  /** Deaths of a process over one message after which the message is quarantined. Default 3. */
  readonly crashesMax: number;
  /** A handler's time unless its agent says otherwise, in ms. Default 120,000. */
  readonly handlerTimeoutMs: number;
  /** One model call's time, in ms. Default 60,000. */
  readonly modelTimeoutMs: number;
  /** JSON text of one step's or the run's result at most, in bytes. Default 64 KiB. */
  readonly resultBytesMax: number;
}

export const RUNTIME_LIMITS_DEFAULT: Omit<RuntimeLimits, "retry"> = {
  crashesMax: 3,
  handlerTimeoutMs: 120_000,
  modelTimeoutMs: 60_000,
  resultBytesMax: 64 * 1024,
};

/**
 * One delivery on its way through the steps. Each step takes it and returns it with more known; once `outcome` is set,
 * the steps between only pass it on to `settle`.
 */
export interface Delivery {
  readonly place: Workplace;
  readonly job: DeliveredJob;
  /** Deliveries so far, this one included; counts only those that the retry policy counts. */
  readonly attempt: number;
  readonly startedMs: number;
  /** Known once the seal was verified; null for what never verified. */
  readonly message: Message | null;
  readonly hold: Hold;
  /** W3C context of this delivery's span; with tracing off, what the sender's envelope says. */
  readonly traceparent: string;
  readonly record: LedgerRecord;
  /** The payload as the handler's contract has it. */
  readonly input: unknown;
  /** What branches of a fan-out brought back, for the message that waited for them; null for any other. */
  readonly gathered: Gathered | null;
  /** What is watched; null where the agent declares no guard. */
  readonly guard: GuardState | null;
  /** Labels of what was read beside the payload. */
  readonly received: ReceivedLabels;
  /** What this message's handling cost, over all deliveries. */
  readonly spent: Spent;
  readonly outcome: Outcome | null;
  /** `replayed`: somebody settled it before. `returned`: this process stops and gives it back. */
  readonly passed: "no" | "replayed" | "returned";
}

export interface Message {
  readonly envelope: Envelope;
  readonly bytes: string;
  readonly digest: string;
}

/** Most steps ask nobody; those answer at once, because a hop has many and a turn of promises is not free. */
export type Step = (delivery: Delivery) => Delivery | Promise<Delivery>;

export const NOTHING_RECORDED: LedgerRecord = {
  acceptedAt: null,
  requeues: 0,
  billed: { costMicro: 0, tokens: 0 } satisfies Spending,
  steps: new Map(),
};

/** Whether the steps that follow have anything left to do. */
export function isDecided(delivery: Delivery): boolean {
  return delivery.outcome !== null || delivery.passed !== "no";
}

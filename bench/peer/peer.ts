/** `bullmq` is the anchor: every ratio is to it, in the same run. The last three are installed on demand. */
export type PeerName =
  | "bullmq"
  | "suture"
  | "suture_replicated"
  | "suture_durable"
  | "dbos"
  | "langgraph"
  | "restate";

export interface PeerOptions {
  /** Of the server: Redis, PostgreSQL, or Restate's ingress; of several shards with spaces between them. */
  readonly url: string;
  /** Of every Redis key, or the name of what the server keeps. */
  readonly prefix: string;
  /** Messages of one agent at once. */
  readonly concurrency: number;
  /** As of `SUTURE_REDIS_DURABILITY`. Default: `fast`. */
  readonly durability?: "replicated" | "durable";
}

export interface Submission {
  /** Called once the server has the run's end. */
  readonly onEnd?: () => void;
}

/** A chain of three agents that forward a payload and do nothing else. */
export interface ChainPeer {
  readonly ends: Ends;
  /** Submits one run. Resolves once the server has it. */
  submit(submission: Submission): Promise<void>;
  /** Starts the agents. What was submitted before waits until then. */
  work(): Promise<void>;
  close(): Promise<void>;
}

/** Deliveries of one run. */
export const HOPS = 3;

/** Retention of finished jobs, for both peers on BullMQ: as the runtime's defaults do. */
export const RETENTION = { age: 48 * 3600, count: 20_000 } as const;

/** Routes the ends of runs to the callers that wait for them. */
export class Ends {
  readonly #waiting = new Map<string, () => void>();

  /** Call it before the run can end. Runs that nobody waits for cost no memory here. */
  expect(runId: string, onEnd: (() => void) | undefined): void {
    if (onEnd !== undefined) this.#waiting.set(runId, onEnd);
  }

  end(runId: string): void {
    const onEnd = this.#waiting.get(runId);
    this.#waiting.delete(runId);
    onEnd?.();
  }
}

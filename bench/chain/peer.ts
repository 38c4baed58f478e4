/** The names of what is compared. `bullmq` is the anchor: every ratio is to it, in the same run. */
export const PEERS = ["bullmq", "suture"] as const;
export type PeerName = (typeof PEERS)[number];

export interface PeerOptions {
  readonly url: string;
  /** Of every Redis key. */
  readonly prefix: string;
  /** Messages of one agent at once. */
  readonly concurrency: number;
}

/** A chain of three agents that hand a payload on and do nothing else. */
export interface ChainPeer {
  /**
   * Submits one run. Resolves once Redis has it; `ended` resolves once Redis has its end.
   *
   * @param priority - `high` goes to the head of each queue.
   */
  submit(priority: "normal" | "high"): Promise<{ readonly ended: Promise<void> }>;
  /** Starts the agents. What was submitted before waits until then. */
  work(): Promise<void>;
  close(): Promise<void>;
}

/** How finished jobs are kept, by both peers: as the runtime's defaults do. */
export const RETENTION = { age: 48 * 3600, count: 20_000 } as const;

/** Runs under way and who waits for them. */
export class Awaited {
  private readonly waiting = new Map<string, () => void>();

  /** Call it before the run can end. */
  expect(runId: string): Promise<void> {
    return new Promise((resolve) => this.waiting.set(runId, resolve));
  }

  end(runId: string): void {
    this.waiting.get(runId)?.();
    this.waiting.delete(runId);
  }
}

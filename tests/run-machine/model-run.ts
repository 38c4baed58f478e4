import type { RunChange, RunStatus } from "#shared/store/runs";

type Told = RunChange["moves"] & object;

const ENDED: ReadonlySet<RunStatus> = new Set(["completed", "failed", "cancelled", "expired"]);

/** Model of a run's record, in the plainest way: the highest rank says where; an end is one but for a return. */
export class ModelRun {
  status: RunStatus = "queued";
  costMicro = 0;
  tokens = 0;
  readonly told = new Set<string>();
  private readonly messages = new Map<string, Told>();
  private readonly ends = { failed: 0, expired: 0, cancelled: 0 };

  constructor(firstMessageId: string) {
    this.messages.set(firstMessageId, { state: "open", rank: 0 });
  }

  /** Takes what one script call tells, which may hold several changes of this run. */
  tell(changes: readonly RunChange[]): void {
    const fresh = changes.filter(({ event }) => !this.told.has(event.id));
    const isReopened = fresh.some(({ end }) => end === "undo_failed") && this.status === "failed";
    for (const change of fresh) this.note(change);
    if (ENDED.has(this.status) && !isReopened) return;
    this.status = this.derive(fresh.some(({ starts }) => starts === true));
  }

  /** Messages that are not closed, by state. */
  count(state: Told["state"]): number {
    return [...this.messages.values()].filter((message) => message.state === state).length;
  }

  get isEnded(): boolean {
    return ENDED.has(this.status);
  }

  private note(change: RunChange): void {
    this.told.add(change.event.id);
    for (const opened of change.opens ?? []) this.place(opened.message_id, { state: "open", rank: 0 });
    if (change.moves !== undefined) this.place(change.event.message_id ?? "", change.moves);
    if (change.end === "undo_failed") this.ends.failed -= 1;
    else if (change.end !== undefined) this.ends[change.end] += 1;
    this.costMicro += Math.round((change.cost ?? 0) * 1e6);
    this.tokens += change.tokens ?? 0;
  }

  private place(messageId: string, moved: Told): void {
    const present = this.messages.get(messageId);
    if (present === undefined || present.rank < moved.rank) this.messages.set(messageId, moved);
  }

  private derive(isStarted: boolean): RunStatus {
    if (this.count("open") > 0) return this.status === "queued" && !isStarted ? "queued" : "running";
    if (this.count("in_ward") > 0) return "in_ward";
    if (this.count("quarantined") > 0) return "quarantined";
    if (this.ends.cancelled > 0) return "cancelled";
    if (this.ends.failed > 0) return "failed";
    return this.ends.expired > 0 ? "expired" : "completed";
  }
}

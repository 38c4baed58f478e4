import { isRedisReply } from "./script.ts";
import type { CommitRequest, Committed, Hold, Ledger, Motion } from "./ledger/ledger.ts";
import type { OutboxEntry } from "./outbox-entry.ts";
import type { HandoffQueues, PlainJob } from "./queues/handoff-queues.ts";
import { byRun } from "./runs/journal.ts";
import type { RunJournal } from "./runs/journal.ts";

/** An outcome that is written, and whether what it sets in motion is under way by that. */
export type HandedOver =
  | { readonly kind: "committed"; readonly isDelivered: boolean }
  | Exclude<Committed, { readonly kind: "committed" }>;

/**
 * Writes outcomes and hands on what they set in motion.
 *
 * Where one Redis holds every slot, that is one script for a handoff or an end: nothing is between the outcome and the
 * next message that a crash could part. Elsewhere, and for what only the engine or the ward can take, the outcome goes
 * with an entry of the outbox, which the caller delivers, or its relay.
 */
export class Handover {
  private readonly ledger: Ledger;
  private readonly queues: HandoffQueues;
  private readonly journal: RunJournal;
  private readonly isTogether: boolean;

  constructor(
    parts: { readonly ledger: Ledger; readonly queues: HandoffQueues; readonly journal: RunJournal },
    isTogether: boolean,
  ) {
    this.ledger = parts.ledger;
    this.queues = parts.queues;
    this.journal = parts.journal;
    this.isTogether = isTogether;
  }

  /** @throws {LockLostError} Another worker holds the job; nothing was written. */
  async commit(hold: Hold, request: CommitRequest): Promise<HandedOver> {
    const motion = this.motionOf(request.outbox);
    if (motion !== null) {
      try {
        const committed = await this.ledger.commitTogether(hold, request, motion);
        return committed.kind === "committed" ? { ...committed, isDelivered: true } : committed;
      } catch (error) {
        // A key of the receiver or the run is not what it should be: that must not hold up the outcome.
        if (!isRedisReply(error)) throw error;
      }
    }
    const committed = await this.ledger.commit(hold, request);
    return committed.kind === "committed" ? { ...committed, isDelivered: false } : committed;
  }

  private motionOf(entry: OutboxEntry | null): Motion | null {
    if (!this.isTogether || entry === null || entry.admissions.length > 0) return null;
    // What is opened elsewhere first.
    if (entry.awaits !== undefined || entry.fanOut !== undefined) return null;
    const jobs: PlainJob[] = [];
    for (const send of entry.sends) {
      const plain = this.queues.plainOf(send);
      if (plain === null) return null;
      jobs.push(plain);
    }
    return { jobs, runs: this.journal.toCall(byRun(entry.changes)) };
  }
}

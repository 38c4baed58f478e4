import { now, timestamp } from "#shared/clock";
import type { Confirmation } from "../confirmation.ts";
import type { Keys } from "../keys.ts";
import { entryOf } from "../settlement/settlement.ts";
import type { OutboxEntry, Settlement } from "../settlement/settlement.ts";
import type { Job } from "../queues/handoff-queues.ts";
import { confirmChange } from "../runs/confirm-change.ts";
import { byRun } from "../runs/journal.ts";
import type { RunJournal } from "../runs/journal.ts";
import { rankOf } from "../runs/run-event.ts";
import type { RunChange } from "../runs/run-event.ts";
import { toFirstMessage } from "../runs/accept-call.ts";
import type { RedisClient } from "../script.ts";
import { plantMessage } from "../scripts/runs.ts";
import { toReturn } from "./return.ts";
import type { Return } from "./return.ts";

/** A verified message from another cluster. */
export interface Crossing {
  readonly runId: string;
  readonly traceId: string;
  readonly team: string;
  readonly send: Job;
  /** SHA-256 of the sealed text, in hex. */
  readonly digest: string;
  /** The cluster that sent it. */
  readonly from: string;
  /** The cluster that keeps the run's record; null for this one. */
  readonly home: string | null;
  /** The fan-out branch that it belongs to, in one word. Absent: none. */
  readonly branch?: string;
  /** Time of its sender's first attempt, in ms since the epoch. */
  readonly firstSentMs: number;
  /** How long its id is kept for deduplication, in ms. */
  readonly memoryMs: number;
}

/** State of a message in its run's record: see `rankOf`. */
export interface RecordedMessage {
  readonly rank: number;
  readonly state: string;
  readonly agent: string;
}

type Planted =
  /** Accepted, now (`taken`) or before (`known`). The entry, if any, is to be delivered, now or by a relay. */
  | { readonly kind: "taken" | "known"; readonly entry: OutboxEntry | null }
  /** A message with this id and other bytes was accepted before. */
  | { readonly kind: "foreign" }
  /** Its sender's first attempt is older than the deduplication window, so a duplicate cannot be ruled out. */
  | { readonly kind: "forgotten" };

/** Messages and run changes that cross between clusters, at their receiver and at the home of the run. */
export class CrossingStore {
  private readonly redis: RedisClient;
  private readonly keys: Keys;
  private readonly journal: RunJournal;
  private readonly confirmation: Confirmation;
  private readonly settlement: Settlement;

  constructor(parts: {
    readonly redis: RedisClient;
    readonly keys: Keys;
    readonly journal: RunJournal;
    readonly confirmation: Confirmation;
    readonly settlement: Settlement;
  }) {
    this.redis = parts.redis;
    this.keys = parts.keys;
    this.journal = parts.journal;
    this.confirmation = parts.confirmation;
    this.settlement = parts.settlement;
  }

  /**
   * Accepts a message. With `taken` or `known` this cluster's Redis has it durably. Idempotent by the message id.
   *
   * @throws {NotReplicatedError} Written, but not replicated: the sender must retry.
   */
  async plant(crossing: Crossing): Promise<Planted> {
    const effects = { sends: [crossing.send] };
    const plain = this.settlement.scriptEffectsOf(effects)?.jobs[0] ?? null;
    const entry = plain === null ? entryOf(`${crossing.send.jobId}/arrived`, effects) : null;
    const taken = this.keys.taken(crossing.send.jobId);
    const run = this.keys.run(crossing.runId);
    const kind = await plantMessage.run(this.redis, {
      ...this.journal.toCall(byRun([arrivalOf(crossing)])),
      ...toFirstMessage({ messageId: crossing.send.jobId, job: plain, entry }),
      taken,
      queuedIndex: this.keys.runs("index:queued"),
      outbox: this.keys.outbox("runs"),
      run,
      touches: [`${run}:messages`, `${run}:log`],
      digest: crossing.digest,
      memoryMs: crossing.memoryMs,
      firstSentMs: crossing.firstSentMs,
      nowMs: now(),
      returnsTo: crossing.home === null ? null : this.keys.returns(crossing.home),
      runId: crossing.runId,
      team: crossing.team,
      traceId: crossing.traceId,
    });
    if (kind === "foreign" || kind === "forgotten") return { kind };
    await this.confirmation.confirm(taken, "digest");
    return { kind, entry: kind === "taken" ? entry : null };
  }

  /**
   * Returns up to `limit` run changes for a home cluster, oldest first. They stay until `forgetReturns` deletes them.
   */
  async returns(home: string, limit: number): Promise<Return[]> {
    const entries = await this.redis.xrange(this.keys.returns(home), "-", "+", "COUNT", limit);
    return entries.map(([id, fields]) => toReturn(id, fields));
  }

  /** Deletes run changes that the home has confirmed. */
  async forgetReturns(home: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.redis.xdel(this.keys.returns(home), ...ids);
  }

  async countReturns(home: string): Promise<number> {
    return this.redis.xlen(this.keys.returns(home));
  }

  async isTaken(messageId: string): Promise<boolean> {
    return (await this.redis.exists(this.keys.taken(messageId))) === 1;
  }

  /** Returns the home cluster of a guest run; null for a local or unknown run. */
  async homeOf(runId: string): Promise<string | null> {
    const stream = await this.redis.hget(this.keys.run(runId), "returns_to");
    return stream === null ? null : stream.slice(this.keys.returns("").length);
  }

  /** Applies run changes from another cluster to runs kept here. Idempotent. @throws {NotReplicatedError} Retry. */
  async applyToRuns(changes: readonly RunChange[]): Promise<void> {
    await this.journal.apply(changes);
    if (!this.confirmation.isAsked) return;
    const { redis, keys, confirmation } = this;
    await Promise.all(changes.map((change) => confirmChange({ redis, keys, confirmation }, change)));
  }

  /** Reads the recorded state of some messages of a run, and which of some events it has. */
  async readRunState(
    runId: string,
    {
      messageIds,
      eventIds,
    }: { readonly messageIds: readonly string[]; readonly eventIds: readonly string[] },
  ): Promise<{
    /** True if the run's record is kept here, and not for another cluster. */
    readonly isKept: boolean;
    /** Messages that the record knows. */
    readonly held: Map<string, RecordedMessage>;
    readonly events: Set<string>;
  }> {
    const run = this.keys.run(runId);
    const fields = [...messageIds, ...eventIds.map((id) => `e:${id}`)];
    const [[status, returnsTo], values] = await Promise.all([
      this.redis.hmget(run, "status", "returns_to"),
      fields.length === 0 ? [] : this.redis.hmget(`${run}:messages`, ...fields),
    ]);
    const held = new Map<string, RecordedMessage>();
    for (const [index, id] of messageIds.entries()) {
      const [rank = "0", state = "", agent = ""] = values[index]?.split("|") ?? [];
      if (values[index] !== null) held.set(id, { rank: Number(rank), state, agent });
    }
    const events = eventIds.filter((_, index) => values[messageIds.length + index] !== null);
    return { isKept: status !== null && returnsTo === null, held, events: new Set(events) };
  }

  /** Returns the runs among these whose cancellation was requested here. */
  async cancelledAmong(runIds: readonly string[]): Promise<string[]> {
    const asked = await Promise.all(runIds.map((id) => this.redis.hget(this.keys.run(id), "end_cancelled")));
    return runIds.filter((_, index) => Number(asked[index] ?? 0) > 0);
  }
}

function arrivalOf({ runId, send, from, branch }: Crossing): RunChange {
  return {
    event: {
      id: `${send.jobId}/arrived`,
      run_id: runId,
      type: "arrived",
      at: timestamp(),
      message_id: send.jobId,
      agent: send.agent,
      detail: { from },
    },
    // Ranks above the state of a message in transit.
    moves: { state: "open", rank: rankOf.delivery(0) },
    ...(branch === undefined ? {} : { branch }),
  };
}

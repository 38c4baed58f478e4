import { derivedId, timestamp } from "#shared/clock";
import type { Confirmation } from "../confirmation.ts";
import { NotFoundError } from "../errors.ts";
import type { Keys } from "../keys.ts";
import type { HandoffQueues } from "../queues/handoff-queues.ts";
import type { Settlement } from "../settlement/settlement.ts";
import { isRedisReply } from "../script.ts";
import type { RedisClient } from "../script.ts";
import { markLimited, reserveHandoffs } from "../scripts/run-marks.ts";
import { acceptRun } from "../scripts/runs.ts";
import type { HeldMessage, RunJournal } from "./journal.ts";
import { toAcceptCall } from "./accept-call.ts";
import { ENDED_STATUSES, toMessage, toRecord } from "./run-record.ts";
import type { Accepted, AcceptRequest, RunCounts, RunMessage, RunRecord, RunStatus } from "./run-record.ts";
import { readEvent } from "./run-event.ts";
import type { RunEvent } from "./run-event.ts";

/** The record of every run: accepted in one step, then moved only by the journal. */
export class RunStore {
  private readonly redis: RedisClient;
  private readonly keys: Keys;
  private readonly journal: RunJournal;
  private readonly queues: HandoffQueues;
  private readonly confirmation: Confirmation;
  private readonly settlement: Settlement;

  constructor(parts: {
    redis: RedisClient;
    keys: Keys;
    journal: RunJournal;
    queues: HandoffQueues;
    confirmation: Confirmation;
    settlement: Settlement;
  }) {
    this.redis = parts.redis;
    this.keys = parts.keys;
    this.journal = parts.journal;
    this.queues = parts.queues;
    this.confirmation = parts.confirmation;
    this.settlement = parts.settlement;
  }

  /**
   * Accepts a task: when this returns `accepted`, Redis has it, and a relay delivers its first message even if this
   * process dies now. Under `replicated` so do its replicas, for a repeated request as for a new one.
   *
   * @throws {NotReplicatedError} It is written and may yet be lost: whether it is accepted is unknown.
   */
  async accept(request: AcceptRequest): Promise<Accepted> {
    const first = this.settlement.motionOf({ sends: [request.send] })?.jobs[0] ?? null;
    const { entry, call } = toAcceptCall(this.keys, request, first);
    const reply = await acceptRun.run(this.redis, call);
    if (reply.kind === "accepted" || reply.kind === "repeated")
      await this.confirmation.confirm(this.keys.run(reply.runId), "status");
    return reply.kind === "accepted" ? { kind: reply.kind, entry, isDelivered: first !== null } : reply;
  }

  async find(runId: string): Promise<RunRecord | null> {
    const fields = await this.redis.hgetall(this.keys.run(runId));
    return fields["status"] === undefined ? null : toRecord(runId, fields);
  }

  /** A run whose key holds something else is listed too, as one of which nothing can be read. */
  private async findListed(runId: string): Promise<RunRecord | null> {
    try {
      return await this.find(runId);
    } catch (error) {
      if (!isRedisReply(error)) throw error;
      return { ...toRecord(runId, {}), unreadable: ["record"] };
    }
  }

  /** @throws {NotFoundError} */
  async get(runId: string): Promise<RunRecord> {
    const found = await this.find(runId);
    if (found === null) throw new NotFoundError("run", runId);
    return found;
  }

  /**
   * Events from position `from` on, at most `limit`: 0 is the first, -1 the last. Positions are what `Last-Event-ID`
   * counts.
   */
  async events(runId: string, range: { from: number; limit: number }): Promise<RunEvent[]> {
    const texts = await this.redis.lrange(
      `${this.keys.run(runId)}:log`,
      range.from,
      range.from + range.limit - 1,
    );
    return texts.map((text) => readEvent(runId, text));
  }

  async messages(runId: string): Promise<RunMessage[]> {
    const fields = await this.redis.hgetall(`${this.keys.run(runId)}:messages`);
    return Object.entries(fields)
      .filter(([id]) => !id.startsWith("e:"))
      .map(([messageId, text]) => toMessage(messageId, text));
  }

  /** Returns whether the run's record has this message open at this agent. */
  async isOpenAt(held: Pick<HeldMessage, "runId" | "messageId" | "agent">): Promise<boolean> {
    const message = await this.findMessage(held.runId, held.messageId);
    return message?.agent === held.agent && message.state === "open";
  }

  async findMessage(runId: string, messageId: string): Promise<RunMessage | null> {
    const text = await this.redis.hget(`${this.keys.run(runId)}:messages`, messageId);
    return text === null ? null : toMessage(messageId, text);
  }

  /**
   * Newest first. Rows whose retention is over are skipped and forgotten in passing.
   *
   * @param page.tenant - Only runs that it owns, in whatever status. Default: all.
   * @param page.before - Position of the last row seen: its creation time in ms, exclusive.
   */
  async list(page: {
    tenant?: string;
    status?: RunStatus;
    before?: number;
    limit: number;
  }): Promise<RunRecord[]> {
    const ofAll = page.status === undefined ? "index" : `index:${page.status}`;
    const index = page.tenant === undefined ? this.keys.runs(ofAll) : this.keys.runsOf(page.tenant);
    const max = page.before === undefined ? "+inf" : `(${page.before}`;
    const found: RunRecord[] = [];
    let offset = 0;
    while (found.length < page.limit) {
      const ids = await this.redis.zrevrangebyscore(index, max, "-inf", "LIMIT", offset, page.limit);
      if (ids.length === 0) break;
      const records = await Promise.all(ids.map((id: string) => this.findListed(id)));
      const gone = ids.filter((_, at) => records[at] === null);
      if (gone.length > 0) await this.redis.zrem(index, ...gone);
      offset += ids.length - gone.length;
      found.push(...records.filter((record) => record !== null));
    }
    return found.slice(0, page.limit);
  }

  /**
   * Counts what one message hands on against what its run may hand on in all, once for each message. Asked only of
   * messages that make more than one: the others are bounded by their hops.
   *
   * @returns What the run has made without these, when with them it would be more than `max`; else null.
   */
  async refuseHandoffs(
    runId: string,
    wanted: { readonly messageId: string; readonly count: number; readonly max: number },
  ): Promise<number | null> {
    const run = this.keys.run(runId);
    return reserveHandoffs.run(this.redis, {
      run,
      messages: `${run}:messages`,
      messageId: wanted.messageId,
      handoffs: wanted.count,
      handoffsMax: wanted.max,
    });
  }

  /** Whether this message is the first of its run that a limit stopped. Repeats get the same answer. */
  async isFirstAtLimit(runId: string, messageId: string): Promise<boolean> {
    return markLimited.run(this.redis, { run: this.keys.run(runId), messageId });
  }

  /** Runs that are kept: of one tenant, or of all. */
  async count(tenant?: string): Promise<number> {
    return this.redis.zcard(this.indexOf(tenant));
  }

  private indexOf(tenant: string | undefined): string {
    return tenant === undefined ? this.keys.runs("index") : this.keys.runsOf(tenant);
  }

  /** Runs by their place among all, newest first. Rows whose retention is over are skipped. */
  async page(wanted: { tenant?: string; offset: number; limit: number }): Promise<RunRecord[]> {
    const { offset, limit } = wanted;
    const ids = await this.redis.zrevrange(this.indexOf(wanted.tenant), offset, offset + limit - 1);
    const records = await Promise.all(ids.map((id: string) => this.find(id)));
    return records.filter((record) => record !== null);
  }

  /** Ids of runs in one state, oldest first. */
  async idsIn(status: RunStatus, limit: number): Promise<string[]> {
    return this.redis.zrange(this.keys.runs(`index:${status}`), "0", String(limit - 1));
  }

  async counts(): Promise<RunCounts> {
    const fields = await this.redis.hgetall(this.keys.runs("counts"));
    const read = (name: string): number => Number(fields[name] ?? 0);
    return {
      submitted: read("submitted"),
      queued: read("queued"),
      running: read("running"),
      in_ward: read("in_ward"),
      quarantined: read("quarantined"),
      completed: read("completed"),
      failed: read("failed"),
      cancelled: read("cancelled"),
      expired: read("expired"),
    };
  }

  /**
   * Asks for a run's end. Its agents refuse its messages from now on; a handler at work is not interrupted in the
   * middle of an effect, but its outcome is overridden. Messages that wait in a retry queue are brought forward.
   *
   * @param agents - The agents of the run's team.
   * @throws {NotFoundError}
   */
  async cancel(request: {
    runId: string;
    agents: readonly string[];
    by: string;
    markLifeMs: number;
  }): Promise<RunRecord> {
    const record = await this.get(request.runId);
    if (ENDED_STATUSES.includes(record.status)) return record;
    await Promise.all(
      request.agents.map((agent) =>
        this.redis.set(this.keys.cancelled(agent, request.runId), request.by, "PX", request.markLifeMs),
      ),
    );
    await this.journal.apply([
      {
        event: {
          id: derivedId(request.runId, "cancel_requested"),
          run_id: request.runId,
          type: "cancel_requested",
          at: timestamp(),
          message_id: null,
          agent: null,
          detail: { by: request.by },
        },
        end: "cancelled",
      },
    ]);
    await this.bringForward(request.runId);
    return this.get(request.runId);
  }

  /** Whether the run is being cancelled, as far as this agent is told. */
  async isCancelled(agent: string, runId: string): Promise<boolean> {
    return (await this.redis.exists(this.keys.cancelled(agent, runId))) === 1;
  }

  /** Returns whether somebody has asked for the run's end. By then every agent's mark is set. */
  async isCancelRequested(runId: string): Promise<boolean> {
    const mark = `e:${derivedId(runId, "cancel_requested")}`;
    return (await this.redis.hexists(`${this.keys.run(runId)}:messages`, mark)) === 1;
  }

  private async bringForward(runId: string): Promise<void> {
    const open = (await this.messages(runId)).filter(
      (message) => message.state === "open" && message.rank > 1,
    );
    for (const message of open) {
      const jobId = `${message.message_id}.${message.rank - 1}`;
      const job = await this.queues.of(message.agent, "retry").getJob(jobId);
      // Already promoted or at work is as good: the mark is set.
      await job?.promote().catch(() => undefined);
    }
  }
}

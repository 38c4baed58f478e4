import { derivedId, timestamp } from "#shared/clock";
import type { ArchiveReader, KeptRun, RunListPage } from "../archive/archive-reader.ts";
import { NotFoundError } from "../errors.ts";
import type { HandoffQueues } from "../queues/handoff-queues.ts";
import { ScriptGroup } from "../script-group.ts";
import { acceptRun, replaceField, reserveHandoffs } from "../scripts/runs.ts";
import type { RunJournal } from "./journal.ts";
import { toAcceptCall } from "./accept-call.ts";
import { ENDED_STATUSES, RUN_STATUSES, toMessage, toRecord } from "./run-record.ts";
import type {
  Accepted,
  AcceptRequest,
  ListedRun,
  RunCounts,
  RunMessage,
  RunRecord,
  RunStatus,
} from "./run-record.ts";
import { indexOf, listShard, newestFirst } from "./list-shard.ts";
import { readEvent } from "./run-event.ts";
import type { RunEvent } from "./run-event.ts";
import { StorePart, sum, sumFields } from "../store-part.ts";

/**
 * Records of runs, each in its shard: created by `accept`, changed by the journal; lists merged, counts summed. Reads
 * go on in the archive, where there is one.
 */
export class RunStore extends StorePart<{
  readonly journal: RunJournal;
  readonly queues: HandoffQueues;
  readonly runs: RunStore;
}> {
  private readonly acceptances = new ScriptGroup(acceptRun, this.redis, this.groupsWrites);

  private get archive(): ArchiveReader | null {
    return this.store.options.archive ?? null;
  }

  /**
   * Accepts a task. With `accepted` Redis has it durably, its first message in its queue. Under `replicated` its
   * replicas have it, too, for a repeated request as for a new one.
   * @throws {NotReplicatedError} Written, but not replicated: whether it is accepted is unknown.
   */
  async accept(request: AcceptRequest): Promise<Accepted> {
    const { keys, queues, confirmation, runs } = this.store.ofRun(request.runId);
    const call = toAcceptCall(keys, request, queues.toCall(request.send));
    const reply = await runs.acceptances.run(call);
    if (reply.kind === "accepted" || reply.kind === "repeated")
      await confirmation.confirm(keys.run(reply.runId), "status");
    return reply;
  }

  /** As `find`, for who tells it outside: under `replicated`, replicas have its end. @throws {NotReplicatedError} */
  async findConfirmed(runId: string): Promise<RunRecord | null> {
    const found = await this.find(runId);
    if (found !== null) await this.confirmEnds([found]);
    return found;
  }

  /** Returns what was accepted under an idempotency key; null if nothing is known of it. */
  async findAccepted(key: string): Promise<{ readonly runId: string; readonly digest: string } | null> {
    const [runId = null, digest = null] = await this.redis.hmget(
      this.keys.gateway(`idempotency:${key}`),
      "run_id",
      "digest",
    );
    return runId === null ? null : { runId, digest: digest ?? "" };
  }

  /** Waits until replicas have the ends of these runs. @throws {NotReplicatedError} */
  async confirmEnds(runs: readonly Pick<ListedRun, "run_id" | "status" | "archived">[]): Promise<void> {
    const ended = runs.filter(({ status, archived }) => archived !== true && ENDED_STATUSES.includes(status));
    const confirm = (run: Pick<ListedRun, "run_id">): Promise<void> => {
      const { keys, confirmation } = this.store.ofRun(run.run_id);
      return confirmation.confirm(keys.run(run.run_id), "ended_ms");
    };
    await Promise.all(ended.map(confirm));
  }

  /** As `events`, for who tells them outside. @throws {NotReplicatedError} */
  async eventsConfirmed(runId: string, range: { from: number; limit: number }): Promise<RunEvent[]> {
    const { events, isArchived } = await this.readEvents(runId, range);
    const last = isArchived ? undefined : events.at(-1);
    const { keys, confirmation } = this.store.ofRun(runId);
    if (last !== undefined) await confirmation.confirm(`${keys.run(runId)}:messages`, `e:${last.id}`);
    return events;
  }

  async find(runId: string): Promise<RunRecord | null> {
    const { redis, keys } = this.store.ofRun(runId);
    const fields = await redis.hgetall(keys.run(runId));
    if (fields["status"] !== undefined) return toRecord(runId, fields);
    const kept = await this.archive?.readRun(runId);
    return kept ? { ...toRecord(runId, kept.fields), archived: true } : null;
  }

  /** @throws {NotFoundError} */
  async get(runId: string): Promise<RunRecord> {
    const found = await this.find(runId);
    if (found === null) throw new NotFoundError("run", runId);
    return found;
  }

  /** Returns up to `limit` events from position `from`: 0 the first, -1 the last. `Last-Event-ID` counts positions. */
  async events(runId: string, range: { from: number; limit: number }): Promise<RunEvent[]> {
    return (await this.readEvents(runId, range)).events;
  }

  private async readEvents(runId: string, { from, limit }: { from: number; limit: number }) {
    const { redis, keys } = this.store.ofRun(runId);
    const texts = await redis.lrange(`${keys.run(runId)}:log`, from, from + limit - 1);
    const kept = texts.length === 0 ? await this.readLeft(runId) : null;
    const end = from + limit;
    const read = kept === null ? texts : kept.log.slice(from, from < 0 && end >= 0 ? undefined : end);
    return { events: read.map((text) => readEvent(runId, text)), isArchived: kept !== null };
  }

  /** Reads a run from the archive if it is not in Redis. */
  private async readLeft(runId: string): Promise<KeptRun | null> {
    const { redis, keys } = this.store.ofRun(runId);
    if (this.archive === null || (await redis.exists(keys.run(runId))) === 1) return null;
    return this.archive.readRun(runId);
  }

  async messages(runId: string): Promise<RunMessage[]> {
    const { redis, keys } = this.store.ofRun(runId);
    const here = await redis.hgetall(`${keys.run(runId)}:messages`);
    const kept = Object.keys(here).length === 0 ? await this.readLeft(runId) : null;
    return Object.entries(kept?.messages ?? here)
      .filter(([id]) => !id.startsWith("e:"))
      .map(([messageId, text]) => toMessage(messageId, text));
  }

  async findMessage(runId: string, messageId: string): Promise<RunMessage | null> {
    const { redis, keys } = this.store.ofRun(runId);
    const text = await redis.hget(`${keys.run(runId)}:messages`, messageId);
    return text === null ? null : toMessage(messageId, text);
  }

  /**
   * Returns runs without their results, newest first. Skips and deletes rows whose retention is over.
   * @param page.tenant - Only runs of this tenant, in any status. Default: all.
   * @param page.before - Cursor: creation time of the last row seen, in ms, exclusive.
   */
  async list(page: RunListPage): Promise<ListedRun[]> {
    const rows = (await this.fromEach((shard) => listShard(shard, page))).flat();
    const kept = page.inRedis === true ? [] : await this.listKept(page, rows.length);
    // One that is just leaving is in both.
    const distinct = new Map([...kept, ...rows].map((row) => [row.run_id, row]));
    return [...distinct.values()].toSorted(newestFirst).slice(0, page.limit);
  }

  /** While the archive is away, pages that Redis fills are shown without it. */
  private async listKept(page: RunListPage, found: number): Promise<ListedRun[]> {
    const rows = await this.archive?.listRuns(page).catch((error: unknown) => {
      if (found < page.limit) throw error;
    });
    return (rows ?? []).map(({ id, fields }) => ({ ...toRecord(id, fields), archived: true }));
  }

  /**
   * Reserves the handoffs of one message against the limit of its run, once per message. Used only for messages that
   * make more than one; the others are bounded by their hops.
   * @returns The handoffs made so far if these would exceed `max`; else null.
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

  /** Returns true for the first message of its run that a limit stopped. Repeats get the same answer. */
  async isFirstAtLimit(runId: string, messageId: string): Promise<boolean> {
    const [hash, field] = [this.keys.run(runId), "limited_by"];
    if (await replaceField.run(this.redis, { hash, field, seen: null, sets: { [field]: messageId } }))
      return true;
    const limitedBy = await this.redis.hget(hash, field);
    return limitedBy === null || limitedBy === messageId;
  }

  /** Returns the number of stored runs, of one tenant or of all. */
  async count(tenant?: string): Promise<number> {
    const here = await this.fromEach(({ redis, keys }) => redis.zcard(indexOf(keys, tenant)));
    return sum([...here, (await this.archive?.countRuns(tenant)) ?? 0]);
  }

  /** Returns runs by offset, newest first. Skips rows whose retention is over. */
  async page(wanted: { tenant?: string; offset: number; limit: number }): Promise<RunRecord[]> {
    const end = wanted.offset + wanted.limit;
    if (this.archive !== null) {
      const { tenant, offset } = wanted;
      const rows = await this.list({ ...(tenant === undefined ? {} : { tenant }), limit: end });
      const listed = await Promise.all(rows.slice(offset).map(({ run_id }) => this.find(run_id)));
      return listed.filter((record) => record !== null);
    }
    const first = this.store.awake.length === 1 ? wanted.offset : 0;
    const ids = await this.fromEach(({ redis, keys }) =>
      redis.zrevrange(indexOf(keys, wanted.tenant), first, end - 1),
    );
    const records = await Promise.all(ids.flat().map((id) => this.find(id)));
    const found = records.filter((record) => record !== null).toSorted(newestFirst);
    return found.slice(wanted.offset - first, end - first);
  }

  /** Returns ids of runs in one status, the oldest first of each shard. */
  async idsIn(status: RunStatus, limit: number): Promise<string[]> {
    const ids = await this.fromEach(({ redis, keys }) =>
      redis.zrange(keys.runs(`index:${status}`), "0", String(limit - 1)),
    );
    return ids.flat();
  }

  async counts(): Promise<RunCounts> {
    const counted = await this.fromEach(async ({ redis, keys }) => {
      const fields = await redis.hgetall(keys.runs("counts"));
      const names = ["submitted", ...RUN_STATUSES];
      // One for each name.
      return Object.fromEntries(names.map((name) => [name, Number(fields[name] ?? 0)])) as RunCounts;
    });
    return sumFields(counted);
  }

  /**
   * Requests the cancellation of a run. Its agents refuse its messages from now on; a handler in progress is not
   * interrupted in the middle of an effect, but its outcome is overridden. Retries that wait are promoted.
   * @throws {NotFoundError}
   */
  async cancel(request: { runId: string; by: string; markLifeMs: number }): Promise<RunRecord> {
    const record = await this.get(request.runId);
    if (ENDED_STATUSES.includes(record.status)) return record;
    const { redis, keys, journal } = this.store.ofRun(request.runId);
    await redis.set(keys.cancelled(request.runId), request.by, "PX", request.markLifeMs);
    await journal.apply([
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

  /** Returns true if the run is being cancelled. */
  async isCancelled(runId: string): Promise<boolean> {
    const { redis, keys } = this.store.ofRun(runId);
    return (await redis.exists(keys.cancelled(runId))) === 1;
  }

  private async bringForward(runId: string): Promise<void> {
    const { queues } = this.store.ofRun(runId);
    const open = (await this.messages(runId)).filter(
      (message) => message.state === "open" && message.rank > 1,
    );
    for (const message of open) {
      const jobId = `${message.message_id}.${message.rank - 1}`;
      const job = await queues.of(message.agent, "retry").getJob(jobId);
      // An error means that the job was promoted or started before, which is as good: the mark is set.
      await job?.promote().catch(() => undefined);
    }
  }
}

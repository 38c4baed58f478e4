import { now } from "#shared/clock";
import type { Keys } from "../keys.ts";
import { WARD_QUEUE } from "../keys.ts";
import type { OutboxEntry } from "../outbox-entry.ts";
import { PLAIN_OPTIONS } from "../queues/handoff-queues.ts";
import type { HandoffQueues, PlainJob } from "../queues/handoff-queues.ts";
import { byRun } from "../runs/journal.ts";
import type { RunJournal } from "../runs/journal.ts";
import { isRedisReply } from "../script.ts";
import type { RedisClient } from "../script.ts";
import { writeCase, writeCaseTogether } from "../scripts/cases.ts";
import { toMayFinish } from "../scripts/queues.ts";
import { TREND_HOURS } from "./case-groups.ts";
import type { CaseWrite, CaseWritten } from "./case-record.ts";

const HOUR_MS = 3_600_000;
const CASE_AUDIT_LENGTH_MAX = 200;
const PRODUCERS_MAX = 10_000;

interface WriterParts {
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly queues: HandoffQueues;
  readonly journal: RunJournal;
  readonly auditLength: number;
  readonly isTogether: boolean;
}

/**
 * Writes changes of cases, each in one script. Where one Redis holds every slot, the messages that leave, what their
 * runs are told and the end of the surgeon's job are in the same script, as for a handoff; elsewhere they are an entry
 * of the ward's outbox.
 */
export class CaseWriter {
  private readonly parts: WriterParts;

  constructor(parts: WriterParts) {
    this.parts = parts;
  }

  async write(change: CaseWrite): Promise<CaseWritten> {
    const jobs = this.plainJobsOf(change.outbox);
    if (change.outbox !== null && jobs !== null) {
      try {
        return await this.writeTogether(change, { entry: change.outbox, jobs });
      } catch (error) {
        // A key of a receiver or a run is not what it should be: that must not hold up the case.
        if (!isRedisReply(error)) throw error;
      }
    }
    const written = await writeCase.run(this.parts.redis, this.toCall(change, change.outbox));
    return written.kind === "written" ? { ...written, isDelivered: false } : written;
  }

  private async writeTogether(
    change: CaseWrite,
    motion: { readonly entry: OutboxEntry; readonly jobs: readonly PlainJob[] },
  ): Promise<CaseWritten> {
    const { redis, journal } = this.parts;
    const ticket = change.endsJob === true ? change.fence?.ticket : undefined;
    const written = await writeCaseTogether.run(redis, {
      ...this.toCall(change, null),
      jobOptions: PLAIN_OPTIONS,
      ...toMayFinish(ticket?.toCall() ?? null),
      jobs: motion.jobs,
      ...journal.toCall(byRun(motion.entry.changes)),
    });
    if (written.kind !== "written") return written;
    const { kind, version, finished } = written;
    if (finished !== null) ticket?.used(finished);
    return { kind, version, isDelivered: true };
  }

  /** Null: only the outbox can take it. */
  private plainJobsOf(entry: OutboxEntry | null): readonly PlainJob[] | null {
    if (!this.parts.isTogether || entry === null) return null;
    if (entry.admissions.length > 0 || entry.awaits !== undefined) return null;
    const jobs = entry.sends.map((send) => this.parts.queues.plainOf(send));
    return jobs.every((job) => job !== null) ? jobs : null;
  }

  private toCall(change: CaseWrite, outbox: OutboxEntry | null) {
    const { keys } = this.parts;
    const { caseId, arrival, audit, fence } = change;
    const nowMs = now();
    const ownKey = keys.ward(`case:${caseId}`);
    return {
      case: ownKey,
      outbox: keys.outbox(WARD_QUEUE),
      audit: keys.ward(`audit:${caseId}`),
      wardAudit: keys.ward("audit"),
      caseCounts: keys.ward("counts"),
      jobLock: fence === undefined ? ownKey : keys.lock(WARD_QUEUE, WARD_QUEUE, fence.jobId),
      caseId,
      expectedVersion: change.expectedVersion,
      wardBase: keys.ward(""),
      nowMs,
      status: change.status,
      fingerprint: change.fingerprint,
      token: fence?.token ?? null,
      hour: Math.floor(nowMs / HOUR_MS),
      entryId: outbox?.id ?? null,
      entry: outbox === null ? "" : JSON.stringify(outbox),
      auditEntry: audit === null ? null : JSON.stringify(audit),
      caseAuditLength: CASE_AUDIT_LENGTH_MAX,
      auditLength: this.parts.auditLength,
      trendHours: TREND_HOURS,
      producersMax: PRODUCERS_MAX,
      recipeId: change.recipeId ?? null,
      arrival: arrival === undefined ? null : { ...arrival, parties: arrival.parties.map(toParty) },
      removes: change.removes ?? [],
      sets: change.sets,
    };
  }
}

function toParty([name, version]: readonly [name: string, version: number]) {
  return { name, version };
}

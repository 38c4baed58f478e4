import { now } from "#shared/clock";
import { NotFoundError } from "../errors.ts";
import type { Keys } from "../keys.ts";
import { WARD_QUEUE } from "../keys.ts";
import type { HandoffQueues } from "../queues/handoff-queues.ts";
import { isRedisReply } from "../script.ts";
import type { RedisClient } from "../script.ts";
import { forgetCase, readCaseForSurgery, writeCase } from "../scripts/cases.ts";
import { touchedBy } from "../scripts/effects.ts";
import type { EffectsCall } from "../scripts/effects.ts";
import { toMayFinish, touchedByFinish } from "../scripts/queues.ts";
import { addAudit } from "../scripts/groups.ts";
import type { Settlement } from "../settlement/settlement.ts";
import { CaseGroups, TREND_HOURS } from "./case-groups.ts";
import { toFields } from "../read-fields.ts";
import { CASE_STATUSES, HEAD_FIELDS, NOTHING_READ, indexName, toStored } from "./case-record.ts";
import type {
  CaseCounts,
  CaseIndex,
  CaseForSurgery,
  CasePage,
  CaseWrite,
  CaseWritten,
  StoredCase,
} from "./case-record.ts";
import { readAudit, readNumberedAudit } from "./read-audit.ts";
import type { AuditEntry } from "./read-audit.ts";
import { readIndexPage, toPage } from "./read-page.ts";
import type { CasePlace } from "./read-page.ts";
import { BatchStore } from "./batch-store.ts";
import { ModelSlots } from "./model-slots.ts";
import { recipesVersionKey } from "./recipe-store.ts";
import { SurgeryCosts } from "./surgery-costs.ts";
import { StorePart } from "../store-part.ts";

const HOUR_MS = 3_600_000;
const CASE_AUDIT_LENGTH_MAX = 200;
const PRODUCERS_MAX = 10_000;

/** Stores the ward's cases (the DLQ). Knows how cases are written, not what their fields mean. */
export class CaseStore extends StorePart {
  readonly groups: CaseGroups;
  readonly costs: SurgeryCosts;
  readonly batches: BatchStore;
  readonly modelSlots: ModelSlots;
  private readonly whole: { readonly redis: RedisClient; readonly keys: Keys };
  private readonly queues: HandoffQueues;
  private readonly settlement: Settlement;
  private readonly auditLength: number;

  /** @param auditLength - Maximum lines in the ward's audit; the oldest is dropped. */
  constructor(
    store: {
      readonly redis: RedisClient;
      readonly keys: Keys;
      readonly queues: HandoffQueues;
      readonly settlement: Settlement;
      /** The installation, which has batches and recipes. */
      readonly whole: { readonly redis: RedisClient; readonly keys: Keys };
    },
    auditLength: number,
  ) {
    const { redis, keys, whole } = store;
    const parts = { redis, keys, auditLength };
    super(redis, keys);
    this.whole = whole;
    this.queues = store.queues;
    this.settlement = store.settlement;
    this.auditLength = auditLength;
    this.costs = new SurgeryCosts(redis, keys);
    this.batches = new BatchStore(whole.redis, whole.keys);
    this.modelSlots = new ModelSlots(redis, keys);
    this.groups = new CaseGroups({ ...parts, modelSlots: this.modelSlots });
  }

  /** Changes a case (compare-and-set on its version) in one script with the effects of the change. */
  write(change: CaseWrite): Promise<CaseWritten> {
    const ticket = change.endsJob === true ? change.fence?.ticket : undefined;
    const write = async (effects: EffectsCall): Promise<CaseWritten> => {
      const finishing = ticket?.toCall() ?? null;
      const written = await writeCase.run(this.redis, {
        touches: [...touchedBy(effects), ...touchedByFinish(finishing)],
        ...this.toCall(change),
        ...toMayFinish(finishing),
        ...effects,
      });
      if (written.kind !== "written") return written;
      const { kind, version, finished } = written;
      if (finished !== null) ticket?.used(finished);
      return { kind, version };
    };
    return this.settlement.settle({ effects: change.effects, write });
  }

  private toCall(change: CaseWrite) {
    const { caseId, arrival, audit, fence } = change;
    const nowMs = now();
    const ownKey = this.caseKey(caseId);
    return {
      case: ownKey,
      audit: this.auditKey(caseId),
      wardAudit: this.keys.ward("audit"),
      caseCounts: this.keys.ward("counts"),
      jobLock: fence === undefined ? ownKey : this.keys.lock(WARD_QUEUE, fence.jobId),
      caseId,
      expectedVersion: change.expectedVersion,
      wardBase: this.keys.ward(""),
      nowMs,
      status: change.status,
      fingerprint: change.fingerprint,
      token: fence?.token ?? null,
      hour: Math.floor(nowMs / HOUR_MS),
      auditEntry: audit === null ? null : JSON.stringify(audit),
      caseAuditLength: CASE_AUDIT_LENGTH_MAX,
      auditLength: this.auditLength,
      trendHours: TREND_HOURS,
      producersMax: PRODUCERS_MAX,
      recipeId: change.recipeId ?? null,
      arrival: arrival ?? null,
      removes: change.removes ?? [],
      sets: change.sets,
    };
  }

  /** Returns what a surgeon needs before it begins with a case, in one call. */
  async readForSurgery(caseId: string): Promise<CaseForSurgery> {
    // Recipes are the installation's, which the script of another shard cannot read.
    const other = this.keys.shard === 0 ? null : this.whole.redis.get(recipesVersionKey(this.whole.keys));
    const { fields, mustWait, isCancelled, ...read } = await readCaseForSurgery.run(this.redis, {
      case: this.caseKey(caseId),
      recipesVersion: recipesVersionKey(this.keys),
      wardBase: this.keys.ward(""),
      queueBase: this.modelSlots.base,
      nowMs: now(),
      cancelledBase: this.keys.cancelled(""),
      headFields: HEAD_FIELDS,
    });
    const recipesVersion = other === null ? read.recipesVersion : ((await other) ?? "0");
    return { stored: toStored(caseId, toFields(fields)), recipesVersion, mustWait, isCancelled };
  }

  async find(caseId: string): Promise<StoredCase | null> {
    return toStored(caseId, await this.redis.hgetall(this.caseKey(caseId)));
  }

  /**
   * Returns a case without its messages and operations, for lists; null if there is none. @param more - Additional
   * fields.
   */
  async findHead(caseId: string, more: readonly string[] = []): Promise<StoredCase | null> {
    const names = [...HEAD_FIELDS, ...more];
    const values = await this.redis.hmget(this.caseKey(caseId), ...names);
    const known = names.map((name, i) => [name, values[i] ?? null] as const);
    return toStored(
      caseId,
      Object.fromEntries(known.filter((entry): entry is [(typeof entry)[0], string] => entry[1] !== null)),
    );
  }

  /** @throws {NotFoundError} */
  async get(caseId: string): Promise<StoredCase> {
    const found = await this.find(caseId);
    if (found === null) throw new NotFoundError("case", caseId);
    return found;
  }

  /**
   * Returns up to `limit` cases without messages and operations, newest first. A cursor stays valid while cases come
   * and go.
   */
  async list(index: CaseIndex, page: { cursor?: string | null; limit: number }): Promise<CasePage> {
    const places = await this.placesIn(index, page);
    const found = await Promise.all(places.map((one) => this.findListed(one.id)));
    return toPage(found, places, page.limit);
  }

  /** Returns the ids of a page, with their places in the order. */
  placesIn(index: CaseIndex, page: { cursor?: string | null; limit: number }): Promise<CasePlace[]> {
    return readIndexPage(this.redis, this.indexKey(index), page);
  }

  /** Returns the number of cases in an index. */
  async sizeOf(index: CaseIndex): Promise<number> {
    return this.redis.zcard(this.indexKey(index));
  }

  /** Lists a case whose key has another type as well, with `unreadable`. */
  async findListed(caseId: string): Promise<StoredCase | null> {
    try {
      return await this.findHead(caseId);
    } catch (error) {
      if (!isRedisReply(error)) throw error;
      return { ...NOTHING_READ, case_id: caseId };
    }
  }

  /** Returns ids only, oldest first, for batches. */
  async idsOf(index: CaseIndex, range: { from: number; limit: number }): Promise<string[]> {
    return this.redis.zrange(this.indexKey(index), String(range.from), String(range.from + range.limit - 1));
  }

  async counts(): Promise<CaseCounts> {
    const fields = await this.redis.hgetall(this.keys.ward("counts"));
    const counted = CASE_STATUSES.map((status) => [status, Number(fields[status] ?? 0)]);
    // One for each status.
    return Object.fromEntries(counted) as CaseCounts;
  }

  /** Returns the audit, newest first. @param caseId - A case's id; null for the whole ward. */
  async audit(caseId: string | null, limit: number): Promise<AuditEntry[]> {
    if (caseId !== null) return readAudit(await this.redis.lrange(this.auditKey(caseId), 0, limit - 1));
    const key = this.keys.ward("audit");
    // The sequence number is read first: lines added between the two reads have higher numbers and none is reported
    // missing.
    const [newest, texts] = await Promise.all([
      this.redis.get(`${key}-seq`),
      this.redis.lrange(key, 0, limit - 1),
    ]);
    return readNumberedAudit(texts, Number(newest ?? 0));
  }

  /** Adds a line to the ward's audit that belongs to no change of a case. */
  async note(entry: AuditEntry): Promise<void> {
    const key = this.keys.ward("audit");
    await addAudit.run(this.redis, {
      wardAudit: key,
      audit: key,
      entry: JSON.stringify(entry),
      auditLength: this.auditLength,
      ownAuditLength: 0,
    });
  }

  /** Returns the number of dead messages by producer, all time. Keys are the producers that admission named. */
  async producers(): Promise<ReadonlyMap<string, number>> {
    const fields = await this.redis.hgetall(this.keys.ward("producers"));
    return new Map(Object.entries(fields).map(([producer, count]) => [producer, Number(count)]));
  }

  /** Returns true if the surgeon's queue holds this job and will deliver it. */
  async hasLiveJob(jobId: string): Promise<boolean> {
    const state = await this.queues.of(WARD_QUEUE, "ward").getJobState(jobId);
    return state !== "completed" && state !== "failed" && state !== "unknown";
  }

  /** Deletes cases that were closed before `beforeMs`, at most `limit`. @returns The number deleted. */
  async forgetClosed(beforeMs: number, limit: number): Promise<number> {
    const ids = await this.redis.zrangebyscore(
      this.keys.ward("index:closed"),
      "-inf",
      beforeMs,
      "LIMIT",
      0,
      limit,
    );
    let forgotten = 0;
    for (const id of ids) {
      const isForgotten = await forgetCase.run(this.redis, {
        case: this.caseKey(id),
        audit: this.auditKey(id),
        counts: this.keys.ward("counts"),
        caseId: id,
        wardBase: this.keys.ward(""),
        closedBeforeMs: beforeMs,
      });
      if (isForgotten) forgotten += 1;
    }
    return forgotten;
  }

  private indexKey(index: CaseIndex): string {
    return this.keys.ward(indexName(index));
  }

  private caseKey(caseId: string): string {
    return this.keys.ward(`case:${caseId}`);
  }

  private auditKey(caseId: string): string {
    return this.keys.ward(`audit:${caseId}`);
  }
}

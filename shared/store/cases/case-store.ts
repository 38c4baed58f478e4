import { now } from "#shared/clock";
import { NotFoundError, StoreUnavailableError } from "../errors.ts";
import type { Keys } from "../keys.ts";
import { WARD_QUEUE } from "../keys.ts";
import type { HandoffQueues } from "../queues/handoff-queues.ts";
import { readCaseForSurgery, writeCase } from "../scripts/cases.ts";
import { touchedBy } from "../scripts/effects.ts";
import type { EffectsCall } from "../scripts/effects.ts";
import { toMayFinish, touchedByFinish } from "../scripts/queues.ts";
import { addAudit } from "../scripts/groups.ts";
import type { Settlement } from "../settlement/settlement.ts";
import { CaseGroups } from "./case-groups.ts";
import { CauseNotes } from "./cause-notes.ts";
import { TREND_HOURS } from "./group-record.ts";
import { toFields } from "../read-fields.ts";
import {
  CASE_STATUSES,
  HEAD_FIELDS,
  indexName,
  OPEN_CASE_STATUSES,
  toArchived,
  toStored,
} from "./case-record.ts";
import type {
  CaseCounts,
  CaseIndex,
  CaseForSurgery,
  CasePage,
  CaseWrite,
  CaseWritten,
  StoredCase,
} from "./case-record.ts";
import { mergeAudits, readAudit, readNumberedAudit } from "./read-audit.ts";
import type { AuditEntry } from "./read-audit.ts";
import { auditKey, caseKey, readHead, mergeKept, readIndexPage, readListed, toPage } from "./read-page.ts";
import { BatchStore } from "./batch-store.ts";
import { ModelSlots } from "./model-slots.ts";
import { recipesVersionKey } from "./recipe-store.ts";
import { SurgeryCosts } from "./surgery-costs.ts";
import { StorePart, sum, sumFields } from "../store-part.ts";
import type { PlacedStore } from "../store-part.ts";

const HOUR_MS = 3_600_000;
const CASE_AUDIT_LENGTH_MAX = 200;
const PRODUCERS_MAX = 10_000;

interface CasesNeed {
  readonly queues: HandoffQueues;
  readonly settlement: Settlement;
  readonly cases: CaseStore;
}

type CasePlaced = PlacedStore & CasesNeed;

/** Stores the ward's cases (the DLQ), each in the shard of its run; knows how they are written, not their fields. */
export class CaseStore extends StorePart<CasesNeed> {
  readonly groups: CaseGroups;
  readonly costs: SurgeryCosts;
  readonly batches: BatchStore;
  readonly causeNotes: CauseNotes;
  readonly modelSlots: ModelSlots;

  constructor(store: CasePlaced) {
    super(store);
    this.costs = new SurgeryCosts(store);
    // Batches, cause notes and recipes are the installation's.
    this.batches = new BatchStore(store.whole);
    this.causeNotes = new CauseNotes(store.whole);
    this.modelSlots = new ModelSlots(store);
    this.groups = new CaseGroups(store, this.modelSlots);
  }

  /** Returns the shard of a case; the first where none has it. @throws {StoreUnavailableError} A shard is away. */
  private async shardOf(caseId: string): Promise<CasePlaced> {
    const { awake, shards } = this.store;
    if (shards.length === 1) return this.store;
    const found = await this.fromEach(({ redis, keys }) => redis.exists(caseKey(keys, caseId)));
    const shard = awake[found.indexOf(1)];
    if (shard === undefined && awake.length < shards.length)
      throw new StoreUnavailableError("looking for a case in every shard");
    return shard ?? awake[0] ?? this.store;
  }

  /** Changes a case (compare-and-set on its version) in one script with the effects of the change. */
  async write(change: CaseWrite): Promise<CaseWritten> {
    const { redis, keys, settlement } = await this.shardOf(change.caseId);
    const ticket = change.endsJob === true ? change.fence?.ticket : undefined;
    const write = async (effects: EffectsCall): Promise<CaseWritten> => {
      const finishing = ticket?.toCall() ?? null;
      const written = await writeCase.run(redis, {
        touches: [...touchedBy(effects), ...touchedByFinish(finishing)],
        ...this.toCall(keys, change),
        ...toMayFinish(finishing),
        ...effects,
      });
      if (written.kind !== "written") return written;
      const { kind, version, finished } = written;
      if (finished !== null) ticket?.used(finished);
      return { kind, version };
    };
    return settlement.settle({ effects: change.effects, write });
  }

  private toCall(keys: Keys, change: CaseWrite) {
    const { caseId, arrival, audit, fence } = change;
    const nowMs = now();
    const ownKey = caseKey(keys, caseId);
    return {
      case: ownKey,
      audit: auditKey(keys, caseId),
      wardAudit: keys.ward("audit"),
      caseCounts: keys.ward("counts"),
      jobLock: fence === undefined ? ownKey : keys.lock(WARD_QUEUE, fence.jobId),
      caseId,
      expectedVersion: change.expectedVersion,
      wardBase: keys.ward(""),
      nowMs,
      status: change.status,
      fingerprint: change.fingerprint,
      token: fence?.token ?? null,
      hour: Math.floor(nowMs / HOUR_MS),
      auditEntry: audit === null ? null : JSON.stringify(audit),
      caseAuditLength: CASE_AUDIT_LENGTH_MAX,
      auditLength: this.store.bounds.auditLength,
      trendHours: TREND_HOURS,
      producersMax: PRODUCERS_MAX,
      recipeId: change.recipeId ?? null,
      entry: change.entry ?? null,
      arrival: arrival === undefined ? null : { cause: "[]", ...arrival },
      removes: change.removes ?? [],
      sets: change.sets,
    };
  }

  /** Returns what a surgeon needs before it begins with a case, in one call. */
  async readForSurgery(caseId: string): Promise<CaseForSurgery> {
    // Recipes are the installation's, which the script of another shard cannot read.
    const { whole } = this.store;
    const other = this.keys.shard === 0 ? null : whole.redis.get(recipesVersionKey(whole.keys));
    const { fields, mustWait, isCancelled, ...read } = await readCaseForSurgery.run(this.redis, {
      case: caseKey(this.keys, caseId),
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
    const { redis, keys } = await this.shardOf(caseId);
    const here = toStored(caseId, await redis.hgetall(caseKey(keys, caseId)));
    return here ?? this.findKept(caseId, "all");
  }

  /** Returns a case without messages and operations, for lists; null for none. @param more - Additional fields. */
  async findHead(caseId: string, more: readonly string[] = []): Promise<StoredCase | null> {
    const here = await readHead(await this.shardOf(caseId), caseId, more);
    return here ?? this.findKept(caseId, "head");
  }

  private async findKept(caseId: string, part: "head" | "all"): Promise<StoredCase | null> {
    const kept = await this.store.options.archive?.readCase(caseId, part);
    return kept ? toArchived(caseId, kept.fields) : null;
  }

  /** @throws {NotFoundError} */
  async get(caseId: string): Promise<StoredCase> {
    const found = await this.find(caseId);
    if (found === null) throw new NotFoundError("case", caseId);
    return found;
  }

  /** Returns up to `limit` cases without messages and operations, newest first. A cursor stays valid meanwhile. */
  async list(index: CaseIndex, page: { cursor?: string | null; limit: number }): Promise<CasePage> {
    const places = await this.fromEach(async (shard) => {
      const own = await readIndexPage(shard.redis, shard.keys.ward(indexName(index)), page);
      return own.map((place) => ({ ...place, shard }));
    });
    const merged = places
      .flat()
      .toSorted((a, b) => Number(b.score) - Number(a.score) || (a.id < b.id ? 1 : -1))
      .slice(0, page.limit);
    const found = await Promise.all(merged.map(({ id, shard }) => readListed(shard, id)));
    return mergeKept(toPage(found, merged, page.limit), await this.listKept(index, page), page.limit);
  }

  /** Open cases are in Redis. While the archive is away, lists have what Redis has: the ward works without it. */
  private async listKept(index: CaseIndex, page: { cursor?: string | null; limit: number }) {
    const { archive = null } = this.store.options;
    if (archive === null || (index.kind === "status" && OPEN_CASE_STATUSES.includes(index.status))) return [];
    return archive.listCases(index, page).catch(() => []);
  }

  /** Returns when the oldest case of an index was admitted, in ms; null for an empty one. */
  async oldestMs(index: CaseIndex): Promise<number | null> {
    const firsts = await this.fromEach(({ redis, keys }) =>
      redis.zrange(keys.ward(indexName(index)), "0", "0", "WITHSCORES"),
    );
    const times = firsts.flatMap(([, score]) => (score === undefined ? [] : Number(score)));
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Returns the number of cases in an index. */
  async sizeOf(index: CaseIndex): Promise<number> {
    const here = await this.fromEach(({ redis, keys }) => redis.zcard(keys.ward(indexName(index))));
    const kept = await this.store.options.archive?.countCases(index).catch(() => 0);
    return sum([...here, kept ?? 0]);
  }

  /** Returns ids only, for batches: one shard after the other, each oldest first. */
  async idsOf(index: CaseIndex, range: { from: number; limit: number }): Promise<string[]> {
    const found: string[] = [];
    let { from } = range;
    for (const { redis, keys } of this.store.awake) {
      const key = keys.ward(indexName(index));
      const limit = range.limit - found.length;
      if (limit === 0) break;
      const [ids, size] = await Promise.all([
        redis.zrange(key, String(from), String(from + limit - 1)),
        redis.zcard(key),
      ]);
      found.push(...ids);
      from = Math.max(0, from - size);
    }
    return found;
  }

  async counts(): Promise<CaseCounts> {
    const counted = await this.fromEach(async ({ redis, keys }) => {
      const fields = await redis.hgetall(keys.ward("counts"));
      const own = CASE_STATUSES.map((status) => [status, Number(fields[status] ?? 0)]);
      // One for each status.
      return Object.fromEntries(own) as CaseCounts;
    });
    return sumFields(counted);
  }

  /** Returns the audit, newest first. @param caseId - A case's id; null for the whole ward. */
  async audit(caseId: string | null, limit: number): Promise<AuditEntry[]> {
    const audits = await this.fromEach(async ({ redis, keys }) => {
      if (caseId !== null) return readAudit(await redis.lrange(auditKey(keys, caseId), 0, limit - 1));
      const key = keys.ward("audit");
      // The sequence number is read first: lines added in between have higher numbers, and none is reported missing.
      const [newest, texts] = await Promise.all([redis.get(`${key}-seq`), redis.lrange(key, 0, limit - 1)]);
      return readNumberedAudit(texts, Number(newest ?? 0));
    });
    const merged = mergeAudits(audits).slice(0, limit);
    if (caseId === null || merged.length > 0) return [...merged];
    const kept = await this.store.options.archive?.readCase(caseId, "all");
    return kept ? readAudit(kept.audit).slice(0, limit) : [];
  }

  /** Returns the ward's audit before a time, newest first: of the archive where there is one, else of what is kept. */
  async auditBefore(beforeMs: number, limit: number): Promise<AuditEntry[]> {
    const { archive = null } = this.store.options;
    if (archive !== null) return readAudit(await archive.listAudit(beforeMs, limit));
    const all = await this.audit(null, this.store.bounds.auditLength);
    return all.filter(({ at }) => Date.parse(at) < beforeMs).slice(0, limit);
  }

  /** Adds a line to the ward's audit, and to that of its case, that belongs to no change of the case. */
  async note(entry: AuditEntry): Promise<void> {
    const { redis, keys } = entry.case_id === "" ? this.store : await this.shardOf(entry.case_id);
    const wardAudit = keys.ward("audit");
    await addAudit.run(redis, {
      wardAudit,
      audit: entry.case_id === "" ? wardAudit : auditKey(keys, entry.case_id),
      entry: JSON.stringify(entry),
      auditLength: this.store.bounds.auditLength,
      ownAuditLength: CASE_AUDIT_LENGTH_MAX,
    });
  }

  /** Returns the number of dead messages by producer, all time. Keys are the producers that admission named. */
  async producers(): Promise<ReadonlyMap<string, number>> {
    const total = new Map<string, number>();
    for (const counted of await this.fromEach(({ redis, keys }) => redis.hgetall(keys.ward("producers"))))
      for (const [producer, count] of Object.entries(counted))
        total.set(producer, (total.get(producer) ?? 0) + Number(count));
    return total;
  }

  /** Returns true if the surgeon's queue holds this job and will deliver it. */
  async hasLiveJob(jobId: string): Promise<boolean> {
    const state = await this.store.queues.of(WARD_QUEUE, "ward").getJobState(jobId);
    return state !== "completed" && state !== "failed" && state !== "unknown";
  }
}

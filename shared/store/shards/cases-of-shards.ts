import type {
  CaseCounts,
  CaseIndex,
  CasePage,
  CaseWrite,
  CaseWritten,
  StoredCase,
} from "../cases/case-record.ts";
import type { AuditEntry } from "../cases/read-audit.ts";
import { CaseStore } from "../cases/case-store.ts";
import { StoreUnavailableError } from "../errors.ts";
import { toPage } from "../cases/read-page.ts";
import { SurgeryCosts } from "../cases/surgery-costs.ts";
import type { HeldByLimit } from "../cases/surgery-costs.ts";
import { GroupsOfShards, mergeAudits } from "./groups-of-shards.ts";
import { sum, sumFields } from "./runs-of-shards.ts";

type CaseStoreParts = ConstructorParameters<typeof CaseStore>[0];

/** The installation, and the cases of its shards. */
interface ShardedWard extends CaseStoreParts {
  readonly bounds: { readonly auditLength: number };
  readonly shards: readonly unknown[];
  readonly awake: readonly { readonly cases: CaseStore }[];
}

/** Cases of several shards: each lies in the shard of its run; lists are merged, counts summed. */
export class CasesOfShards extends CaseStore {
  override readonly groups: GroupsOfShards;
  override readonly costs: SurgeryCosts;
  private readonly installation: ShardedWard;

  constructor(whole: ShardedWard) {
    super(whole, whole.bounds.auditLength);
    this.installation = whole;
    const { auditLength } = whole.bounds;
    this.groups = new GroupsOfShards(whole, { ...whole, modelSlots: this.modelSlots, auditLength });
    this.costs = new CostsOfShards(whole);
  }

  private get each(): readonly CaseStore[] {
    return this.installation.awake.map(({ cases }) => cases);
  }

  private fromEach<Read>(read: (cases: CaseStore) => Promise<Read>): Promise<Read[]> {
    return Promise.all(this.each.map(read));
  }

  /** The store that has the case; the first one where none has. */
  private async of(caseId: string): Promise<CaseStore> {
    const { each } = this;
    const heads = await Promise.all(each.map((cases) => cases.findHead(caseId)));
    const found = each[heads.findIndex((one) => one !== null)];
    if (found === undefined) this.assertAllAwake();
    return found ?? each[0] ?? this;
  }

  override async write(change: CaseWrite): Promise<CaseWritten> {
    return (await this.of(change.caseId)).write(change);
  }

  override async find(caseId: string): Promise<StoredCase | null> {
    return this.only(await this.fromEach((cases) => cases.find(caseId)));
  }

  override async findHead(caseId: string, more: readonly string[] = []): Promise<StoredCase | null> {
    return this.only(await this.fromEach((cases) => cases.findHead(caseId, more)));
  }

  private only(found: readonly (StoredCase | null)[]): StoredCase | null {
    const one = found.find((each) => each !== null) ?? null;
    if (one === null) this.assertAllAwake();
    return one;
  }

  /** @throws {StoreUnavailableError} A case that is in no other shard may be in one that is away. */
  private assertAllAwake(): void {
    const { awake, shards } = this.installation;
    if (awake.length < shards.length) throw new StoreUnavailableError("looking for a case in every shard");
  }

  /** A cursor is a place in the common order, in which each shard goes on. */
  override async list(index: CaseIndex, page: { cursor?: string | null; limit: number }): Promise<CasePage> {
    const { each } = this;
    const pages = await Promise.all(each.map((cases) => cases.placesIn(index, page)));
    const merged = pages
      .flatMap((ids, shard) => ids.map((one) => ({ ...one, shard })))
      .toSorted((a, b) => Number(b.score) - Number(a.score) || (a.id < b.id ? 1 : -1))
      .slice(0, page.limit);
    const found = await Promise.all(
      merged.map(async ({ id, shard }) => (await each[shard]?.findListed(id)) ?? null),
    );
    return toPage(found, merged, page.limit);
  }

  override async sizeOf(index: CaseIndex): Promise<number> {
    return sum(await this.fromEach((cases) => cases.sizeOf(index)));
  }

  /** One shard after the other, each oldest first. */
  override async idsOf(index: CaseIndex, range: { from: number; limit: number }): Promise<string[]> {
    const found: string[] = [];
    let { from } = range;
    for (const cases of this.each) {
      const limit = range.limit - found.length;
      if (limit === 0) break;
      const [ids, size] = await Promise.all([cases.idsOf(index, { from, limit }), cases.sizeOf(index)]);
      found.push(...ids);
      from = Math.max(0, from - size);
    }
    return found;
  }

  override async counts(): Promise<CaseCounts> {
    return sumFields(await this.fromEach((cases) => cases.counts()));
  }

  override async audit(caseId: string | null, limit: number): Promise<AuditEntry[]> {
    return mergeAudits(await this.fromEach((cases) => cases.audit(caseId, limit))).slice(0, limit);
  }

  override async note(entry: AuditEntry): Promise<void> {
    const place = entry.case_id === "" ? this.each[0] : await this.of(entry.case_id);
    await place?.note(entry);
  }

  override async producers(): Promise<ReadonlyMap<string, number>> {
    const total = new Map<string, number>();
    for (const counted of await this.fromEach((cases) => cases.producers()))
      for (const [producer, count] of counted) total.set(producer, (total.get(producer) ?? 0) + count);
    return total;
  }
}

/** What surgery costs in all shards. Limits are shares: see `Surgery`, which reserves in the shard of a case. */
class CostsOfShards extends SurgeryCosts {
  private readonly installation: ShardedWard;

  constructor(whole: ShardedWard) {
    super(whole.redis, whole.keys);
    this.installation = whole;
  }

  private fromEach<Read>(read: (costs: SurgeryCosts) => Promise<Read>): Promise<Read[]> {
    return Promise.all(this.installation.awake.map(({ cases }) => read(cases.costs)));
  }

  override async spentThisHour(): Promise<number> {
    return sum(await this.fromEach((costs) => costs.spentThisHour()));
  }

  override async lastHours(): Promise<number[]> {
    const all = await this.fromEach((costs) => costs.lastHours());
    return (all[0] ?? []).map((_, hour) => sum(all.map((hours) => hours[hour] ?? 0)));
  }

  override async heldThisHour(): Promise<HeldByLimit | null> {
    const held = (await this.fromEach((costs) => costs.heldThisHour())).filter((one) => one !== null);
    const [first] = held;
    if (first === undefined) return null;
    return {
      since_ms: Math.min(...held.map(({ since_ms }) => since_ms)),
      until_ms: first.until_ms,
      limit_micro: first.limit_micro * this.installation.shards.length,
      refusals: sum(held.map(({ refusals }) => refusals)),
    };
  }
}

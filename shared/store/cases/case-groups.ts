import { now, timestamp } from "#shared/clock";
import { StoreUnavailableError } from "../errors.ts";
import { mergeAudits, readAudit } from "./read-audit.ts";
import type { AuditEntry } from "./read-audit.ts";
import { addAudit, markGroup } from "../scripts/groups.ts";
import { addUp, toGroup } from "./group-record.ts";
import type { CaseGroup } from "./group-record.ts";
import type { ModelSlots } from "./model-slots.ts";
import { StorePart } from "../store-part.ts";
import type { PlacedStore } from "../store-part.ts";

/** Maximum lines in a group's audit; the oldest is dropped. */
const AUDIT_OF_GROUP_MAX = 200;

const ACTIONS = {
  open: "group.reopen",
  acknowledged: "group.acknowledge",
  resolved: "group.resolve",
} as const;

/** A person's change of a group's lifecycle. */
export interface GroupMark {
  readonly lifecycle: "open" | "acknowledged" | "resolved";
  readonly by: string;
  /** Reason. Default: none. */
  readonly why?: string;
  /** For `resolved`: only messages of this party's version or later are a regression. Default: any message. */
  readonly since?: { readonly name: string; readonly version: number } | undefined;
  /** For `acknowledged`: until when somebody looks after it, in ms since the epoch. Default: without an end. */
  readonly untilMs?: number | undefined;
  /** Version of the group that the person saw. Default: the present one. */
  readonly seen?: number | undefined;
}

/** `stale`: the group's lifecycle was changed meanwhile by a person or a message. */
export type Marked = "marked" | "stale" | "absent";

type GroupsPlaced = PlacedStore & { readonly cases: { readonly groups: CaseGroups } };

/** Groups of cases with the same fingerprint: counted in each shard, added up when they are read, marked in all. */
export class CaseGroups extends StorePart<Omit<GroupsPlaced, keyof PlacedStore>> {
  private readonly modelSlots: ModelSlots;

  constructor(store: GroupsPlaced, modelSlots: ModelSlots) {
    super(store);
    this.modelSlots = modelSlots;
  }

  async find(fingerprint: string): Promise<CaseGroup | null> {
    return addUp(await this.partsOf(fingerprint));
  }

  /** Returns a group as each shard counts it. */
  private partsOf(fingerprint: string): Promise<(CaseGroup | null)[]> {
    return this.fromEach(({ cases }) => cases.groups.ownPart(fingerprint));
  }

  private async ownPart(fingerprint: string): Promise<CaseGroup | null> {
    const [fields, rest] = await Promise.all([
      this.redis.hgetall(this.key(fingerprint)),
      this.modelSlots.rest(fingerprint),
    ]);
    return fields["count"] === undefined ? null : toGroup(fingerprint, { fields, rest });
  }

  /** Returns the fingerprints of all groups. */
  async names(): Promise<string[]> {
    const names = await this.fromEach(({ redis, keys }) => redis.zrange(keys.ward("groups"), "0", "-1"));
    return [...new Set(names.flat())];
  }

  async count(): Promise<number> {
    return (await this.names()).length;
  }

  /** Returns groups, the most recently active first. */
  async list({ offset, limit }: { offset: number; limit: number }): Promise<CaseGroup[]> {
    const first = this.store.awake.length === 1 ? offset : 0;
    const names = await this.fromEach(({ redis, keys }) =>
      redis.zrevrange(keys.ward("groups"), first, offset + limit - 1),
    );
    const found = await this.findAll(names);
    return found.toReversed().slice(offset - first, offset + limit - first);
  }

  /** Returns the whole of every group that a shard named, the least recently active first. */
  private async findAll(names: readonly (readonly string[])[]): Promise<CaseGroup[]> {
    const found = await Promise.all([...new Set(names.flat())].map((name) => this.find(name)));
    return found.filter((one) => one !== null).toSorted((a, b) => a.last_seen_ms - b.last_seen_ms);
  }

  /** Returns groups with a message since `sinceMs`, oldest first, as far as no shard has more. */
  async arrivedSince(
    sinceMs: number,
    limit: number,
  ): Promise<{ readonly groups: readonly CaseGroup[]; readonly isMore: boolean }> {
    const names = await this.fromEach(({ redis, keys }) =>
      redis.zrangebyscore(keys.ward("groups"), sinceMs, "+inf", "LIMIT", 0, limit),
    );
    const isMore = names.some(({ length }) => length === limit);
    if (isMore && names.length > 1) return this.arrivedSince(sinceMs, limit * 2);
    return { groups: await this.findAll(names), isMore };
  }

  /**
   * Changes a group's lifecycle and writes a line to the audit. Counts and trend stay. Marks it in each shard, also
   * where no message of it has come yet: the first one there is then a regression.
   * @throws {StoreUnavailableError} A shard is away, and would not know of it.
   */
  async mark(fingerprint: string, mark: GroupMark): Promise<Marked> {
    const { awake, shards } = this.store;
    if (awake.length < shards.length) throw new StoreUnavailableError("marking a group in every shard");
    const parts = await this.partsOf(fingerprint);
    const whole = addUp(parts);
    if (whole === null) return "absent";
    if (mark.seen !== undefined && mark.seen !== whole.version) return "stale";
    const marked = await Promise.all(
      awake.map(({ cases }, i) => {
        const seen = mark.seen === undefined ? undefined : parts[i]?.version;
        return cases.groups.markOwn(fingerprint, { ...mark, seen, isKnown: shards.length > 1 });
      }),
    );
    return marked.find((one) => one !== "marked") ?? "marked";
  }

  private async markOwn(
    fingerprint: string,
    mark: Omit<GroupMark, "seen"> & { readonly seen: number | undefined; readonly isKnown: boolean },
  ): Promise<Marked> {
    const { lifecycle, by, why = "", since, untilMs = null, seen, isKnown } = mark;
    const entry: AuditEntry = {
      case_id: "",
      at: timestamp(),
      by,
      action: ACTIONS[lifecycle],
      why,
      detail: {
        fingerprint,
        since: since === undefined ? null : `${since.name}@${since.version}`,
        ...(untilMs === null ? {} : { until: new Date(untilMs).toISOString() }),
      },
    };
    return markGroup.run(this.redis, {
      group: this.key(fingerprint),
      wardAudit: this.keys.ward("audit"),
      groupAudit: this.auditKey(fingerprint),
      isKnown,
      seenVersion: seen ?? null,
      lifecycle,
      nowMs: now(),
      by,
      sinceName: since?.name ?? null,
      sinceVersion: since?.version ?? null,
      untilMs,
      entry: JSON.stringify(entry),
      auditLength: this.store.bounds.auditLength,
      groupAuditLength: AUDIT_OF_GROUP_MAX,
    });
  }

  /** Writes a line about a group to the ward's audit and to the group's own. */
  async note(fingerprint: string, entry: AuditEntry): Promise<void> {
    await addAudit.run(this.redis, {
      wardAudit: this.keys.ward("audit"),
      audit: this.auditKey(fingerprint),
      entry: JSON.stringify(entry),
      auditLength: this.store.bounds.auditLength,
      ownAuditLength: AUDIT_OF_GROUP_MAX,
    });
  }

  /** Returns the audit of one group, newest first. */
  async audit(fingerprint: string): Promise<AuditEntry[]> {
    const texts = await this.fromEach(({ redis, keys }) =>
      redis.lrange(keys.ward(`group-audit:${fingerprint}`), 0, AUDIT_OF_GROUP_MAX - 1),
    );
    return [...mergeAudits(texts.map(readAudit))];
  }

  private auditKey(fingerprint: string): string {
    return this.keys.ward(`group-audit:${fingerprint}`);
  }

  private key(fingerprint: string): string {
    return this.keys.ward(`group:${fingerprint}`);
  }
}

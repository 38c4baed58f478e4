import { now, timestamp } from "#shared/clock";
import type { Keys } from "../keys.ts";
import { FieldReader } from "../read-fields.ts";
import { readAudit } from "./read-audit.ts";
import type { AuditEntry } from "./read-audit.ts";
import { addAudit, countQuarantined, markGroup } from "../scripts/groups.ts";
import type { RedisClient } from "../script.ts";
import type { GroupRest, ModelSlots } from "./model-slots.ts";
import { StorePart } from "../store-part.ts";

/**
 * Lifecycle of a group.
 * - `open`: entered with the first message.
 * - `acknowledged`: a person is working on it.
 * - `resolved`: a person declared the cause fixed.
 * - `regressed`: entered when a message arrives after that.
 *
 * Kept as long as the group has a case.
 */
export const GROUP_LIFECYCLES = ["open", "acknowledged", "resolved", "regressed"] as const;

export type GroupLifecycle = (typeof GROUP_LIFECYCLES)[number];

export type CaseGroup = Readonly<ReturnType<typeof toGroup>>;

/**
 * Who resolved a group. With `since`, only messages of that version or later count as a regression; null: any message
 * does.
 */
export interface Resolution {
  readonly by: string;
  readonly at_ms: number;
  readonly since: { readonly name: string; readonly version: number } | null;
}

/** Hours of trend kept for a group. */
export const TREND_HOURS = 48;

const HOUR_MS = 3_600_000;
const MICRO = 1_000_000;

/** Maximum lines in a group's audit; the oldest is dropped. */
const AUDIT_OF_GROUP_MAX = 200;

/** Maximum groups counted in one script call, because a script blocks Redis. */
const COUNTED_AT_ONCE_MAX = 50;

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
  /**
   * For `resolved`: only messages of this party's version or a later one count as a regression. Default: any message.
   */
  readonly since?: { readonly name: string; readonly version: number };
  /** Version of the group that the person saw. Default: the present one. */
  readonly seen?: number;
  /** It is known in another shard, and marked here before its first message. Default false. */
  readonly isKnown?: boolean;
}

/** `stale`: the group's lifecycle was changed meanwhile by a person or a message. */
export type Marked = "marked" | "stale" | "absent";

/** Groups of cases with the same fingerprint. */
export class CaseGroups extends StorePart {
  private readonly modelSlots: ModelSlots;
  private readonly auditLength: number;

  constructor(parts: {
    readonly redis: RedisClient;
    readonly keys: Keys;
    readonly modelSlots: ModelSlots;
    readonly auditLength: number;
  }) {
    super(parts.redis, parts.keys);
    this.modelSlots = parts.modelSlots;
    this.auditLength = parts.auditLength;
  }

  async find(fingerprint: string): Promise<CaseGroup | null> {
    const [fields, rest] = await Promise.all([
      this.redis.hgetall(this.key(fingerprint)),
      this.modelSlots.rest(fingerprint),
    ]);
    return fields["count"] === undefined ? null : toGroup(fingerprint, { fields, rest });
  }

  /** Returns the fingerprints of all groups. */
  async names(): Promise<string[]> {
    return this.redis.zrange(this.keys.ward("groups"), "0", "-1");
  }

  async count(): Promise<number> {
    return this.redis.zcard(this.keys.ward("groups"));
  }

  /** Returns groups, the most recently active first. */
  async list(page: { offset: number; limit: number }): Promise<CaseGroup[]> {
    const names = await this.redis.zrevrange(
      this.keys.ward("groups"),
      page.offset,
      page.offset + page.limit - 1,
    );
    const found = await Promise.all(names.map((name) => this.find(name)));
    return found.filter((group) => group !== null);
  }

  /** Returns groups that received a message at or after `sinceMs`, the least recently active first. */
  async arrivedSince(
    sinceMs: number,
    limit: number,
  ): Promise<{ readonly groups: readonly CaseGroup[]; readonly isMore: boolean }> {
    const names = await this.redis.zrangebyscore(
      this.keys.ward("groups"),
      sinceMs,
      "+inf",
      "LIMIT",
      0,
      limit,
    );
    const found = await Promise.all(names.map((name) => this.find(name)));
    return { groups: found.filter((group) => group !== null), isMore: names.length === limit };
  }

  /** Changes a group's lifecycle and writes a line to the audit. Counts and trend stay. */
  async mark(fingerprint: string, mark: GroupMark): Promise<Marked> {
    const { lifecycle, by, why = "", since, seen, isKnown = false } = mark;
    const entry: AuditEntry = {
      case_id: "",
      at: timestamp(),
      by,
      action: ACTIONS[lifecycle],
      why,
      detail: { fingerprint, since: since === undefined ? null : `${since.name}@${since.version}` },
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
      entry: JSON.stringify(entry),
      auditLength: this.auditLength,
      groupAuditLength: AUDIT_OF_GROUP_MAX,
    });
  }

  /** Writes a line about a group to the ward's audit and to the group's own. */
  async note(fingerprint: string, entry: AuditEntry): Promise<void> {
    await addAudit.run(this.redis, {
      wardAudit: this.keys.ward("audit"),
      audit: this.auditKey(fingerprint),
      entry: JSON.stringify(entry),
      auditLength: this.auditLength,
      ownAuditLength: AUDIT_OF_GROUP_MAX,
    });
  }

  /** Returns the audit of one group, newest first. */
  async audit(fingerprint: string): Promise<AuditEntry[]> {
    const texts = await this.redis.lrange(this.auditKey(fingerprint), 0, AUDIT_OF_GROUP_MAX - 1);
    return readAudit(texts);
  }

  /** Returns the number of quarantined cases of each group, in the given order. */
  async quarantinedOf(fingerprints: readonly string[]): Promise<number[]> {
    const counts: number[] = [];
    for (let from = 0; from < fingerprints.length; from += COUNTED_AT_ONCE_MAX) {
      const some = fingerprints.slice(from, from + COUNTED_AT_ONCE_MAX);
      const groups = some.map((fingerprint) => this.keys.ward(`index:group:${fingerprint}`));
      const quarantined = this.keys.ward("index:status:quarantined");
      counts.push(...(await countQuarantined.run(this.redis, { quarantined, touches: groups, groups })));
    }
    return counts;
  }

  private auditKey(fingerprint: string): string {
    return this.keys.ward(`group-audit:${fingerprint}`);
  }

  private key(fingerprint: string): string {
    return this.keys.ward(`group:${fingerprint}`);
  }
}

function toGroup(
  fingerprint: string,
  { fields, rest }: { readonly fields: Readonly<Record<string, string>>; readonly rest: GroupRest },
) {
  const reader = new FieldReader(fields);
  const hour = Math.floor(now() / HOUR_MS);
  const trend = Array.from({ length: TREND_HOURS }, (_, i) =>
    reader.number(`t:${hour - TREND_HOURS + 1 + i}`),
  );
  const { marked_ms, regressed_ms, regressed_by: producer = "" } = fields;
  const [markedMs, regressedMs] = [reader.number("marked_ms"), reader.number("regressed_ms")];
  return {
    fingerprint,
    /** Messages that ever arrived with this fingerprint. */
    count: reader.number("count"),
    /** Cases that wait for the surgeon or a person. */
    open: reader.number("open"),
    first_seen_ms: reader.number("first_seen_ms"),
    last_seen_ms: reader.number("last_seen_ms"),
    /** Producer of its first message: agent, contract, model and prompt version, each `-` where there is none. */
    producer: fields["producer"] ?? "",
    lifecycle: GROUP_LIFECYCLES.find((one) => one === fields["lifecycle"]) ?? "open",
    /** Rises with each change of the lifecycle; used for compare-and-set. From 1. */
    version: groupVersion(markedMs, regressedMs),
    /** Time of the last mark by a person, in ms since the epoch; null before the first. */
    marked_ms: marked_ms === undefined ? null : markedMs,
    /** Set while the group is resolved or regressed; null otherwise. */
    resolution: resolutionOf(fields),
    /** The first message after the resolution: its producer and time; null if there is none. */
    regression: regressed_ms === undefined ? null : { producer, at_ms: regressedMs },
    /** Number of redrives: cases discharged or released. */
    sent_on: reader.number("sent_on"),
    /** Number of replays: redriven messages that came back dead, so the repair did not hold. */
    replays: reader.number("replays"),
    /** USD spent or reserved for its cases. */
    cost: reader.number("cost_micro") / MICRO,
    /** Messages per hour, oldest first, the current hour last. */
    trend,
    /** What its cases wait for before the next model call. */
    rest,
  };
}

/** As in `group-lifecycle.lua`; a test compares the two. */
export function groupVersion(markedMs: number, regressedMs: number): number {
  return Math.max(1, markedMs, regressedMs);
}

function resolutionOf(fields: Readonly<Record<string, string>>): Resolution | null {
  const { resolved_ms, resolved_by = "", resolved_name: name, resolved_version } = fields;
  if (resolved_ms === undefined) return null;
  const since = name === undefined ? null : { name, version: Number(resolved_version) };
  return { by: resolved_by, at_ms: Number(resolved_ms), since };
}

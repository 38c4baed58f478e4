import { now } from "#shared/clock";
import type { Keys } from "../keys.ts";
import type { RedisClient } from "../script.ts";
import type { GroupRest, GroupTurns } from "./group-turns.ts";

/**
 * What people think of a group. `open`: enters with its first letter; `acknowledged`: somebody looks after it;
 * `resolved`: the cause is gone, says somebody; `regressed`: enters when a letter arrives after that. Kept as long as
 * the group has a case.
 */
export const GROUP_LIFECYCLES = ["open", "acknowledged", "resolved", "regressed"] as const;

export type GroupLifecycle = (typeof GROUP_LIFECYCLES)[number];

export interface CaseGroup {
  readonly fingerprint: string;
  /** Letters that ever arrived with this fingerprint. */
  readonly count: number;
  /** Cases of it that wait for the surgeon or a person. */
  readonly open: number;
  readonly first_seen_ms: number;
  readonly last_seen_ms: number;
  /** Who made the letter that began it: agent, contract, model and prompt version, each `-` where there is none. */
  readonly producer: string;
  readonly lifecycle: GroupLifecycle;
  /** When somebody last said what they think of it; null when nobody did. */
  readonly marked_ms: number | null;
  /** Set from its being resolved on, until it is opened again. */
  readonly resolution: Resolution | null;
  /** The letter that came though it was resolved: who made it, and when; null before. */
  readonly regression: { readonly producer: string; readonly at_ms: number } | null;
  /** Times that a case of it was sent on, repaired or released. */
  readonly sent_on: number;
  /** Letters that came back after that: repairs that did not hold. */
  readonly replays: number;
  /** USD spent or set aside for its cases. */
  readonly cost: number;
  /** Letters per hour, oldest first, the current hour last. */
  readonly trend: readonly number[];
  /** What its cases wait for before a model is asked for it again. */
  readonly rest: GroupRest;
}

/**
 * Who put a group aside as resolved, and since which version of whom letters count against that; null: any
 * letter.
 */
export interface Resolution {
  readonly by: string;
  readonly at_ms: number;
  readonly since: { readonly name: string; readonly version: number } | null;
}

/** Hours of trend that a group keeps. */
export const TREND_HOURS = 48;

const HOUR_MS = 3_600_000;
const MICRO = 1_000_000;

const RESOLUTION_FIELDS = [
  "resolved_by",
  "resolved_ms",
  "resolved_name",
  "resolved_version",
  "regressed_ms",
  "regressed_by",
] as const;

/** Cases with one fingerprint, as one. */
export class CaseGroups {
  private readonly redis: RedisClient;
  private readonly keys: Keys;
  private readonly turns: GroupTurns;

  constructor(parts: { readonly redis: RedisClient; readonly keys: Keys; readonly turns: GroupTurns }) {
    this.redis = parts.redis;
    this.keys = parts.keys;
    this.turns = parts.turns;
  }

  async find(fingerprint: string): Promise<CaseGroup | null> {
    const [fields, rest] = await Promise.all([
      this.redis.hgetall(this.key(fingerprint)),
      this.turns.rest(fingerprint),
    ]);
    return fields["count"] === undefined ? null : toGroup(fingerprint, { fields, rest });
  }

  /** The group that a letter arrived in last comes first. */
  async list(page: { offset: number; limit: number }): Promise<CaseGroup[]> {
    const names = await this.redis.zrevrange(
      this.keys.ward("groups"),
      page.offset,
      page.offset + page.limit - 1,
    );
    const found = await Promise.all(names.map((name) => this.find(name)));
    return found.filter((group) => group !== null);
  }

  /** Groups that a letter arrived in at or after `sinceMs`, that longest ago first. */
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

  /**
   * What people think of the group. Its count, open cases and trend are not theirs to set.
   *
   * @param mark.since - For `resolved`: letters of this party's version, or a later one, count against it.
   * Default: any.
   * @returns false when there is no such group.
   */
  async mark(
    fingerprint: string,
    mark: {
      readonly lifecycle: "open" | "acknowledged" | "resolved";
      readonly by: string;
      readonly since?: { readonly name: string; readonly version: number };
    },
  ): Promise<boolean> {
    const key = this.key(fingerprint);
    if ((await this.redis.hexists(key, "count")) === 0) return false;
    const { lifecycle, by, since } = mark;
    const change = this.redis.multi().hdel(key, ...RESOLUTION_FIELDS);
    change.hset(key, {
      lifecycle,
      marked_ms: String(now()),
      ...(lifecycle === "resolved" ? { resolved_by: by, resolved_ms: String(now()) } : {}),
      ...(since === undefined ? {} : { resolved_name: since.name, resolved_version: String(since.version) }),
    });
    await change.exec();
    return true;
  }

  private key(fingerprint: string): string {
    return this.keys.ward(`group:${fingerprint}`);
  }
}

function toGroup(
  fingerprint: string,
  { fields, rest }: { readonly fields: Readonly<Record<string, string>>; readonly rest: GroupRest },
): CaseGroup {
  const hour = Math.floor(now() / HOUR_MS);
  const trend = Array.from({ length: TREND_HOURS }, (_, i) =>
    Number(fields[`t:${hour - TREND_HOURS + 1 + i}`] ?? 0),
  );
  return {
    fingerprint,
    count: Number(fields["count"]),
    open: Number(fields["open"] ?? 0),
    first_seen_ms: Number(fields["first_seen_ms"]),
    last_seen_ms: Number(fields["last_seen_ms"]),
    producer: fields["producer"] ?? "",
    lifecycle: GROUP_LIFECYCLES.find((one) => one === fields["lifecycle"]) ?? "open",
    marked_ms: fields["marked_ms"] === undefined ? null : Number(fields["marked_ms"]),
    resolution: resolutionOf(fields),
    regression:
      fields["regressed_ms"] === undefined
        ? null
        : { producer: fields["regressed_by"] ?? "", at_ms: Number(fields["regressed_ms"]) },
    sent_on: Number(fields["sent_on"] ?? 0),
    replays: Number(fields["replays"] ?? 0),
    cost: Number(fields["cost_micro"] ?? 0) / MICRO,
    trend,
    rest,
  };
}

function resolutionOf(fields: Readonly<Record<string, string>>): Resolution | null {
  const { resolved_ms, resolved_by = "", resolved_name: name, resolved_version } = fields;
  if (resolved_ms === undefined) return null;
  const since = name === undefined ? null : { name, version: Number(resolved_version) };
  return { by: resolved_by, at_ms: Number(resolved_ms), since };
}

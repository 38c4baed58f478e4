import type { AuditEntry } from "../cases/read-audit.ts";
import { CaseGroups } from "../cases/case-groups.ts";
import type { CaseGroup, GroupMark, Marked } from "../cases/case-groups.ts";
import { StoreUnavailableError } from "../errors.ts";
import { sum } from "./runs-of-shards.ts";

/** The installation. */
interface ShardedGroups {
  readonly shards: readonly unknown[];
  readonly awake: readonly { readonly cases: { readonly groups: CaseGroups } }[];
}

/** Groups of cases of several shards: counted in each, added up when they are read, marked in all. */
export class GroupsOfShards extends CaseGroups {
  private readonly whole: ShardedGroups;

  constructor(whole: ShardedGroups, parts: ConstructorParameters<typeof CaseGroups>[0]) {
    super(parts);
    this.whole = whole;
  }

  private get each(): readonly CaseGroups[] {
    return this.whole.awake.map(({ cases }) => cases.groups);
  }

  private fromEach<Read>(read: (groups: CaseGroups) => Promise<Read>): Promise<Read[]> {
    return Promise.all(this.each.map(read));
  }

  override async find(fingerprint: string): Promise<CaseGroup | null> {
    return addUp((await this.partsOf(fingerprint)).filter((part) => part !== null));
  }

  private partsOf(fingerprint: string): Promise<(CaseGroup | null)[]> {
    return this.fromEach((groups) => groups.find(fingerprint));
  }

  override async names(): Promise<string[]> {
    return [...new Set((await this.fromEach((groups) => groups.names())).flat())];
  }

  override async count(): Promise<number> {
    return (await this.names()).length;
  }

  override async list({ offset, limit }: { offset: number; limit: number }): Promise<CaseGroup[]> {
    const page = { offset: 0, limit: offset + limit };
    const found = await this.findAll(await this.fromEach((groups) => groups.list(page)));
    return found.toReversed().slice(offset, offset + limit);
  }

  /** Reads as far as no shard has more, since what is left out of one is not what is oldest in all. */
  override async arrivedSince(sinceMs: number, limit: number): ReturnType<CaseGroups["arrivedSince"]> {
    const pages = await this.fromEach((groups) => groups.arrivedSince(sinceMs, limit));
    if (pages.some(({ isMore }) => isMore)) return this.arrivedSince(sinceMs, limit * 2);
    return { groups: await this.findAll(pages.map(({ groups }) => groups)), isMore: false };
  }

  /** The whole of every group that a shard named, the least recently active first. */
  private async findAll(parts: readonly (readonly CaseGroup[])[]): Promise<CaseGroup[]> {
    const names = new Set(parts.flat().map(({ fingerprint }) => fingerprint));
    const found = await Promise.all([...names].map((name) => this.find(name)));
    return found.filter((one) => one !== null).toSorted((a, b) => a.last_seen_ms - b.last_seen_ms);
  }

  /**
   * Marks it in each shard, also where no message of it has come yet: the first one there is then a regression.
   *
   * @throws {StoreUnavailableError} One is away, and would not know of it.
   */
  override async mark(fingerprint: string, mark: GroupMark): Promise<Marked> {
    const { each } = this;
    if (each.length < this.whole.shards.length)
      throw new StoreUnavailableError("marking a group in every shard");
    const parts = await this.partsOf(fingerprint);
    const whole = addUp(parts.filter((part) => part !== null));
    if (whole === null) return "absent";
    if (mark.seen !== undefined && mark.seen !== whole.version) return "stale";
    const { seen: _, ...rest } = mark;
    const marked = await Promise.all(
      each.map((groups, i) => {
        const part = parts[i] ?? null;
        return groups.mark(
          fingerprint,
          part === null ? { ...rest, isKnown: true } : { ...rest, seen: part.version },
        );
      }),
    );
    return marked.includes("stale") ? "stale" : "marked";
  }

  override async note(fingerprint: string, entry: AuditEntry): Promise<void> {
    await this.each[0]?.note(fingerprint, entry);
  }

  override async audit(fingerprint: string): Promise<AuditEntry[]> {
    return mergeAudits(await this.fromEach((groups) => groups.audit(fingerprint)));
  }

  override async quarantinedOf(fingerprints: readonly string[]): Promise<number[]> {
    const counts = await this.fromEach((groups) => groups.quarantinedOf(fingerprints));
    return fingerprints.map((_, i) => sum(counts.map((own) => own[i] ?? 0)));
  }
}

/** Returns the whole of a group: its counts in all shards, and its lifecycle where it changed last. */
function addUp(parts: readonly CaseGroup[]): CaseGroup | null {
  const byArrival = parts.toSorted((a, b) => a.first_seen_ms - b.first_seen_ms);
  const [first] = byArrival;
  if (first === undefined || parts.length === 1) return first ?? null;
  const changed = parts.toSorted((a, b) => b.version - a.version)[0] ?? first;
  const told = parts.find(({ lifecycle }) => lifecycle === "regressed") ?? changed;
  const total = (read: (part: CaseGroup) => number): number => sum(parts.map(read));
  const mayCall = parts.find(({ rest }) => rest.until_ms === null)?.rest;
  const resting =
    mayCall ?? parts.toSorted((a, b) => (a.rest.until_ms ?? 0) - (b.rest.until_ms ?? 0))[0]?.rest;
  return {
    ...told,
    version: changed.version,
    count: total(({ count }) => count),
    open: total(({ open }) => open),
    first_seen_ms: first.first_seen_ms,
    producer: first.producer,
    last_seen_ms: Math.max(...parts.map(({ last_seen_ms }) => last_seen_ms)),
    sent_on: total(({ sent_on }) => sent_on),
    replays: total(({ replays }) => replays),
    cost: total(({ cost }) => cost),
    trend: first.trend.map((_, hour) => total(({ trend }) => trend[hour] ?? 0)),
    rest: {
      until_ms: resting?.until_ms ?? null,
      why: resting?.why ?? "",
      waiting: total(({ rest }) => rest.waiting),
    },
  };
}

/** Merges audits, newest first. A line without a time (damaged, missing) stays below the one that it followed. */
export function mergeAudits(audits: readonly (readonly AuditEntry[])[]): AuditEntry[] {
  const dated = audits.flatMap((entries) => {
    let at = "9";
    return entries.map((entry) => {
      at = entry.at === "" ? at : entry.at;
      return { at, entry };
    });
  });
  return dated.toSorted((a, b) => (a.at === b.at ? 0 : a.at < b.at ? 1 : -1)).map(({ entry }) => entry);
}

import { HandoffQueues } from "../queues/handoff-queues.ts";
import type { Job, QueueDamage, QueueDepth, RetentionOptions } from "../queues/handoff-queues.ts";
import { RunOwners } from "../runs/run-owners.ts";
import type { AccountUse } from "../runs/run-owners.ts";
import type { RunEvent } from "../runs/run-event.ts";
import type {
  Accepted,
  AcceptRequest,
  ListedRun,
  RunCounts,
  RunMessage,
  RunRecord,
  RunStatus,
} from "../runs/run-record.ts";
import { RunStore } from "../runs/run-store.ts";

/** What of a shard is added up here. */
interface ShardRuns {
  readonly runs: RunStore;
  readonly queues: HandoffQueues;
  readonly owners: RunOwners;
}

/** The installation. */
interface ShardedRuns extends RunStoreParts {
  readonly awake: readonly ShardRuns[];
  ofRun(runId: string): { readonly runs: RunStore };
}

type RunStoreParts = ConstructorParameters<typeof RunStore>[0];

/** Runs of several shards: each is read and changed in its own; lists are merged, counts summed. */
export class RunsOfShards extends RunStore {
  private readonly whole: ShardedRuns;

  constructor(whole: ShardedRuns) {
    super(whole);
    this.whole = whole;
  }

  private of(runId: string): RunStore {
    return this.whole.ofRun(runId).runs;
  }

  private fromEach<Read>(read: (runs: RunStore) => Promise<Read>): Promise<Read[]> {
    return Promise.all(this.whole.awake.map(({ runs }) => read(runs)));
  }

  override accept(request: AcceptRequest): Promise<Accepted> {
    return this.of(request.runId).accept(request);
  }

  override findConfirmed(runId: string): Promise<RunRecord | null> {
    return this.of(runId).findConfirmed(runId);
  }

  override async confirmEnds(runs: readonly Pick<ListedRun, "run_id" | "status">[]): Promise<void> {
    await Promise.all(runs.map((run) => this.of(run.run_id).confirmEnds([run])));
  }

  override eventsConfirmed(runId: string, range: { from: number; limit: number }): Promise<RunEvent[]> {
    return this.of(runId).eventsConfirmed(runId, range);
  }

  override find(runId: string): Promise<RunRecord | null> {
    return this.of(runId).find(runId);
  }

  override events(runId: string, range: { from: number; limit: number }): Promise<RunEvent[]> {
    return this.of(runId).events(runId, range);
  }

  override messages(runId: string): Promise<RunMessage[]> {
    return this.of(runId).messages(runId);
  }

  override findMessage(runId: string, messageId: string): Promise<RunMessage | null> {
    return this.of(runId).findMessage(runId, messageId);
  }

  override cancel(request: Parameters<RunStore["cancel"]>[0]): Promise<RunRecord> {
    return this.of(request.runId).cancel(request);
  }

  override isCancelled(runId: string): Promise<boolean> {
    return this.of(runId).isCancelled(runId);
  }

  override async list(page: Parameters<RunStore["list"]>[0]): Promise<ListedRun[]> {
    const rows = await this.fromEach((runs) => runs.list(page));
    return rows.flat().toSorted(newestFirst).slice(0, page.limit);
  }

  override async count(tenant?: string): Promise<number> {
    return sum(await this.fromEach((runs) => runs.count(tenant)));
  }

  override async page(wanted: { tenant?: string; offset: number; limit: number }): Promise<RunRecord[]> {
    const { offset, limit } = wanted;
    const rows = await this.fromEach((runs) => runs.page({ ...wanted, offset: 0, limit: offset + limit }));
    return rows
      .flat()
      .toSorted(newestFirst)
      .slice(offset, offset + limit);
  }

  /** Of each shard the oldest, one shard after the other. */
  override async idsIn(status: RunStatus, limit: number): Promise<string[]> {
    return (await this.fromEach((runs) => runs.idsIn(status, limit))).flat();
  }

  override async counts(): Promise<RunCounts> {
    return sumFields(await this.fromEach((runs) => runs.counts()));
  }
}

/** The order of lists: time of creation, then id, as in the index of one shard. */
function newestFirst(a: ListedRun, b: ListedRun): number {
  return b.created_ms - a.created_ms || (a.run_id < b.run_id ? 1 : -1);
}

/** Queues of several shards, for who counts and looks; jobs are added and taken in one. */
export class QueuesOfShards extends HandoffQueues {
  private readonly whole: ShardedRuns;

  constructor(whole: ShardedRuns, retention: RetentionOptions) {
    super(whole.redis, whole.keys, retention);
    this.whole = whole;
  }

  private fromEach<Read>(read: (queues: HandoffQueues) => Promise<Read>): Promise<Read[]> {
    return Promise.all(this.whole.awake.map(({ queues }) => read(queues)));
  }

  override async depth(agent: string, lane: Job["lane"]): Promise<QueueDepth> {
    const depths = await this.fromEach((queues) => queues.depth(agent, lane));
    const [waiting, active, delayed, failed] = (["waiting", "active", "delayed", "failed"] as const).map(
      (name) => sum(depths.map((depth) => depth[name])),
    );
    const damages = depths.map(({ damage }) => damage).filter((damage) => damage !== null);
    return {
      waiting: waiting ?? 0,
      active: active ?? 0,
      delayed: delayed ?? 0,
      failed: failed ?? 0,
      is_paused: depths.some(({ is_paused }) => is_paused),
      damage: damages.length === 0 ? null : damages.join("; "),
    };
  }

  override async findDamage(agent: string): Promise<QueueDamage[]> {
    return (await this.fromEach((queues) => queues.findDamage(agent))).flat();
  }
}

/** What counts against quotas, summed over the shards that can be asked: another that is away stops no new run. */
export class OwnersOfShards extends RunOwners {
  private readonly whole: ShardedRuns;

  constructor(whole: ShardedRuns) {
    super(whole.redis, whole.keys);
    this.whole = whole;
  }

  private fromEach<Read>(read: (owners: RunOwners) => Promise<Read>): Promise<Read[]> {
    return Promise.all(this.whole.awake.map(({ owners }) => read(owners)));
  }

  override async tenants(): Promise<string[]> {
    return [...new Set((await this.fromEach((owners) => owners.tenants())).flat())];
  }

  override async open(account: string): Promise<number> {
    return sum(await this.fromEach((owners) => owners.open(account)));
  }

  override async use(account: string): Promise<AccountUse> {
    const uses = await this.fromEach((owners) => owners.use(account));
    return sumFields(uses);
  }
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Adds up records of numbers, field by field. */
export function sumFields<Fields extends { readonly [Name in keyof Fields]: number }>(
  all: readonly Fields[],
): Fields {
  return all.reduce((total, one) => {
    // The keys of a record of numbers.
    const names = Object.keys(total) as (keyof Fields)[];
    // The same fields, each a number as before.
    return Object.fromEntries(names.map((name) => [name, total[name] + one[name]])) as Fields;
  });
}

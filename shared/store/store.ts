import { CaseStore } from "./cases/case-store.ts";
import { BoardStore } from "./boards/board-store.ts";
import { FanOutStore } from "./fan-outs/fan-out-store.ts";
import { EndpointCircuits } from "./feedback/endpoint-circuits.ts";
import { NoticeStore } from "./feedback/notice-store.ts";
import { Rates } from "./feedback/rates.ts";
import { OrderList, RecordList, ReplayList } from "./people/record-list.ts";
import { Restores } from "./people/restores.ts";
import { AgentRegistry } from "./registry.ts";
import { RefusalList } from "./refusals.ts";
import { connect } from "./connect.ts";
import { EffectClaims } from "./ledger/once.ts";
import { Ledger } from "./ledger/ledger.ts";
import { Keys } from "./keys.ts";
import { Settlement } from "./settlement/settlement.ts";
import { HandoffQueues } from "./queues/handoff-queues.ts";
import { RunJournal } from "./runs/journal.ts";
import { ApiKeyStore } from "./api-keys/api-key-store.ts";
import { RunOwners } from "./runs/run-owners.ts";
import { LeavingCases } from "./archive/leaving-cases.ts";
import { LeavingRuns } from "./archive/leaving-runs.ts";
import { RunStore } from "./runs/run-store.ts";
import { RunWebhooks, StepMarks } from "./runs/gateway-fields.ts";
import { shardOf } from "./shards/run-ids.ts";
import type { ConnectionRole } from "./connect.ts";
import { Confirmation } from "./confirmation.ts";
import { definedByDigest } from "./script.ts";
import type { RedisClient } from "./script.ts";
import { STORE_BOUNDS_DEFAULT } from "./store-settings.ts";
import type { StoreBounds, StoreOptions } from "./store-settings.ts";

/** The connection, the keys and the options with which the parts of a store begin. */
class Place {
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly confirmation: Confirmation;
  /** Limits of what is kept for reading only. */
  readonly bounds: StoreBounds;
  readonly options: StoreOptions;
  /** The installation that a shard belongs to. Of the installation: itself. */
  readonly whole: Store;

  /** @param part - For a shard of several: the installation's store and the shard's number. */
  constructor(options: StoreOptions, part: { readonly whole: Store; readonly number: number } | null = null) {
    this.options = options;
    this.bounds = { ...STORE_BOUNDS_DEFAULT, ...options.bounds };
    // Only a Store is a Place.
    this.whole = part?.whole ?? (this as unknown as Store);
    this.redis =
      part?.whole.options.url === options.url
        ? part.whole.redis
        : definedByDigest(connect(options, options.role, options.answerMs));
    this.keys = new Keys(options.prefix, part?.number);
    this.confirmation = new Confirmation(options.replication ?? null, this.keys, () =>
      connect(options, "producer"),
    );
  }

  get isWhole(): boolean {
    return this.whole.keys === this.keys;
  }
}

/**
 * A process's access to Redis: the whole installation, and each of its shards by itself (`shards`). With one shard both
 * are the same store. What belongs to a run is written through its shard alone; the installation finds the shard of an
 * id, and adds up or merges what it reads.
 */
export class Store extends Place {
  /** Its Redis was away when this process started, and `checkDataFormat` has not seen it since. */
  isUnchecked = false;
  // Parts that the installation has once.
  readonly apiKeys: ApiKeyStore = this.isWhole ? new ApiKeyStore(this) : this.whole.apiKeys;
  readonly registry: AgentRegistry = this.isWhole ? new AgentRegistry(this) : this.whole.registry;
  readonly refusals: RefusalList = this.isWhole ? new RefusalList(this) : this.whole.refusals;
  readonly endpoints: EndpointCircuits = this.isWhole ? new EndpointCircuits(this) : this.whole.endpoints;
  readonly rates: Rates = this.isWhole ? new Rates(this) : this.whole.rates;
  readonly notices: NoticeStore = this.isWhole ? new NoticeStore(this) : this.whole.notices;
  readonly boards: BoardStore = this.isWhole ? new BoardStore(this) : this.whole.boards;
  /** Log of people's actions. */
  readonly people: RecordList = this.isWhole ? new RecordList(this) : this.whole.people;
  /** Standing orders of people. */
  readonly orders: OrderList = this.isWhole ? new OrderList(this) : this.whole.orders;
  readonly replays: ReplayList = this.isWhole ? new ReplayList(this) : this.whole.replays;
  /** Returns from a snapshot. */
  readonly restores: Restores = this.isWhole ? new Restores(this) : this.whole.restores;
  /** Each shard, by its number. Of a shard: itself. */
  readonly shards: readonly Store[] = this.openShards();
  // Parts that each shard has. The installation's own reads all of them.
  readonly queues: HandoffQueues = new HandoffQueues(this);
  readonly journal: RunJournal = new RunJournal(this);
  readonly fanOuts: FanOutStore = new FanOutStore(this);
  readonly settlement: Settlement = new Settlement(this);
  readonly stepMarks: StepMarks = new StepMarks(this);
  readonly webhooks: RunWebhooks = new RunWebhooks(this);
  readonly ledger: Ledger = new Ledger(this);
  readonly effects: EffectClaims = new EffectClaims(this);
  readonly runs: RunStore = new RunStore(this);
  readonly leavingCases: LeavingCases = new LeavingCases(this);
  readonly leavingRuns: LeavingRuns = new LeavingRuns(this);
  readonly owners: RunOwners = new RunOwners(this);
  readonly cases: CaseStore = new CaseStore(this);

  private openShards(): readonly Store[] {
    const urls = this.isWhole ? (this.options.shardUrls ?? []) : [];
    if (urls.length <= 1) return [this];
    return urls.map((url, number) => new Store({ ...this.options, url }, { whole: this, number }));
  }

  /** Shards that can be asked. While the Redis of one is away, the others work and are counted. */
  get awake(): readonly Store[] {
    if (this.shards.length === 1) return this.shards;
    return this.shards.filter(({ redis, isUnchecked }) => redis.status === "ready" && !isUnchecked);
  }

  /** The shard of a run, by the last byte of its id; shard 0 for an id that names none. */
  ofRun(runId: string): Store {
    return this.shards[shardOf(runId)] ?? this.shards[0] ?? this;
  }

  /** Opens another connection to the same Redis, for blocking commands and subscriptions. */
  connectAnother(role: ConnectionRole): RedisClient {
    return connect(this.options, role);
  }

  async close(): Promise<void> {
    if (this.shards.length > 1) await Promise.all(this.shards.map((shard) => shard.close()));
    await this.queues.close();
    this.confirmation.close();
    this.boards.close();
    this.redis.disconnect();
  }
}

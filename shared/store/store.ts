import { CaseStore } from "./cases/case-store.ts";
import { BoardStore } from "./boards/board-store.ts";
import { FanOutStore } from "./fan-outs/fan-out-store.ts";
import { EndpointCircuits } from "./feedback/endpoint-circuits.ts";
import { NoticeStore } from "./feedback/notice-store.ts";
import { Rates } from "./feedback/rates.ts";
import { OrderList, RecordList } from "./people/record-list.ts";
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
import { RunStore } from "./runs/run-store.ts";
import { RunWebhooks, StepMarks } from "./runs/gateway-fields.ts";
import { shardOf } from "./shards/run-ids.ts";
import type { ConnectionRole } from "./connect.ts";
import { Confirmation } from "./confirmation.ts";
import { definedByDigest } from "./script.ts";
import type { RedisClient } from "./script.ts";
import { STORE_BOUNDS_DEFAULT } from "./store-settings.ts";
import type { StoreBounds, StoreOptions } from "./store-settings.ts";

/**
 * A process's access to Redis: the whole installation, and each of its shards by itself (`shards`). With one shard both
 * are the same store. What belongs to a run is written through its shard alone; the installation finds the shard of an
 * id, and adds up or merges what it reads.
 */
export class Store {
  /** Each shard, by its number. Of a shard: itself. */
  readonly shards: readonly Store[];
  /** The installation that a shard belongs to. Of the installation: itself. */
  readonly whole: Store;
  /** Its Redis was away when this process started, and `checkDataFormat` has not seen it since. */
  isUnchecked = false;
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly confirmation: Confirmation;
  readonly queues: HandoffQueues;
  readonly journal: RunJournal;
  readonly runs: RunStore;
  readonly owners: RunOwners;
  readonly apiKeys: ApiKeyStore;
  readonly stepMarks: StepMarks;
  readonly webhooks: RunWebhooks;
  readonly ledger: Ledger;
  readonly effects: EffectClaims;
  readonly fanOuts: FanOutStore;
  readonly boards: BoardStore;
  readonly settlement: Settlement;
  readonly registry: AgentRegistry;
  readonly refusals: RefusalList;
  readonly cases: CaseStore;
  readonly endpoints: EndpointCircuits;
  readonly rates: Rates;
  readonly notices: NoticeStore;
  /** Log of people's actions. */
  readonly people: RecordList;
  /** Standing orders of people. */
  readonly orders: OrderList;
  /** Limits of what is kept for reading only. */
  readonly bounds: StoreBounds;
  readonly options: StoreOptions;

  /** @param part - For a shard of several: the installation's store and the shard's number. */
  constructor(options: StoreOptions, part: { readonly whole: Store; readonly number: number } | null = null) {
    this.options = options;
    this.bounds = { ...STORE_BOUNDS_DEFAULT, ...options.bounds };
    const whole = part?.whole;
    this.whole = whole ?? this;
    this.redis =
      whole?.options.url === options.url
        ? whole.redis
        : definedByDigest(connect(options, options.role, options.answerMs));
    this.keys = new Keys(options.prefix, part?.number);
    this.confirmation = new Confirmation(options.replication ?? null, this.keys, () =>
      connect(options, "producer"),
    );
    // What the installation has once.
    this.apiKeys = whole?.apiKeys ?? new ApiKeyStore(this);
    this.registry = whole?.registry ?? new AgentRegistry(this);
    this.refusals = whole?.refusals ?? new RefusalList(this);
    this.endpoints = whole?.endpoints ?? new EndpointCircuits(this);
    this.rates = whole?.rates ?? new Rates(this);
    this.notices = whole?.notices ?? new NoticeStore(this);
    this.boards = whole?.boards ?? new BoardStore(this);
    this.people = whole?.people ?? new RecordList(this);
    this.orders = whole?.orders ?? new OrderList(this);
    // What each shard has. The installation's own reads all of them.
    const urls = part === null ? (options.shardUrls ?? []) : [];
    this.shards =
      urls.length <= 1
        ? [this]
        : urls.map((url, number) => new Store({ ...options, url }, { whole: this, number }));
    this.queues = new HandoffQueues(this);
    this.journal = new RunJournal(this);
    this.fanOuts = new FanOutStore(this);
    this.settlement = new Settlement(this);
    this.stepMarks = new StepMarks(this);
    this.webhooks = new RunWebhooks(this);
    this.ledger = new Ledger(this);
    this.effects = new EffectClaims(this);
    this.runs = new RunStore(this);
    this.owners = new RunOwners(this);
    this.cases = new CaseStore(this);
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

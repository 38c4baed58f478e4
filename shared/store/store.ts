import type { RedisTls, Secret } from "#shared/config";
import { CaseStore } from "./cases/case-store.ts";
import { BoardStore } from "./boards/board-store.ts";
import { FanOutStore } from "./fan-outs/fan-out-store.ts";
import { EndpointCircuits } from "./feedback/endpoint-circuits.ts";
import { NoticeStore } from "./feedback/notice-store.ts";
import { Rates } from "./feedback/rates.ts";
import { OrderList } from "./people/order-list.ts";
import { RecordList } from "./people/record-list.ts";
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
import { RunWebhooks } from "./runs/run-webhooks.ts";
import { StepMarks } from "./runs/step-marks.ts";
import type { ConnectionRole } from "./connect.ts";
import { Confirmation } from "./confirmation.ts";
import type { ReplicationOptions } from "./confirmation.ts";
import { definedByDigest } from "./script.ts";
import type { RedisClient } from "./script.ts";
import { STORE_BOUNDS_DEFAULT } from "./store-bounds.ts";
import type { StoreBounds } from "./store-bounds.ts";

export interface StoreOptions {
  readonly url: string;
  /** Default: Node's own, if the URL says TLS. */
  readonly tls?: RedisTls | null;
  /** Password for the sentinels; the master's credentials are in the URL. Default: none. */
  readonly sentinelPassword?: Secret | null;
  /** Replicas that must confirm a write before it is published. Default null: none. */
  readonly replication?: ReplicationOptions | null;
  readonly prefix: string;
  readonly role: ConnectionRole;
  /** Command timeout of a producer, in ms. Default 5,000. Workers have none. */
  readonly answerMs?: number;
  /** Retention of ended runs, finished jobs and idempotency keys, in ms. */
  readonly retentionMs: number;
  /** Deduplication window of a settled message, in ms; longer if it expires later. At most the retention. */
  readonly ledgerLifeMs: number;
  /** Default message lifetime (TTL), in ms; also the minimum for messages that leave the ward. */
  readonly taskLifeMs?: number;
  /** Limits of what is kept for reading only. Default: `STORE_BOUNDS_DEFAULT`. */
  readonly bounds?: Partial<StoreBounds>;
  readonly onError: (error: Error) => void;
}

/** A process's access to Redis, over one connection. */
export class Store {
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
  /** Limits of what is kept for reading only. */
  readonly bounds: StoreBounds;
  readonly options: StoreOptions;

  constructor(options: StoreOptions) {
    this.options = options;
    const bounds = { ...STORE_BOUNDS_DEFAULT, ...options.bounds };
    this.bounds = bounds;
    this.redis = definedByDigest(connect(options, options.role, options.answerMs));
    this.keys = new Keys(options.prefix);
    this.confirmation = new Confirmation(options.replication ?? null, this.keys, () =>
      connect(options, "producer"),
    );
    this.queues = new HandoffQueues(this.redis, this.keys, {
      finishedAgeSeconds: Math.ceil(options.retentionMs / 1000),
      finishedCount: bounds.finishedJobsMax,
      eventStreamLength: bounds.eventStreamLength,
    });
    this.journal = new RunJournal(this.redis, this.keys, {
      retentionMs: options.retentionMs,
      logLengthMax: bounds.runLogLength,
    });
    this.fanOuts = new FanOutStore(this);
    this.settlement = new Settlement(this);
    this.stepMarks = new StepMarks(this.redis, this.keys);
    this.webhooks = new RunWebhooks(this.redis, this.keys);
    this.runs = new RunStore(this);
    this.owners = new RunOwners(this.redis, this.keys);
    this.apiKeys = new ApiKeyStore(this.redis, this.keys);
    this.ledger = new Ledger(this.redis, this.keys, options.ledgerLifeMs);
    this.effects = new EffectClaims(this);
    this.registry = new AgentRegistry(this.redis, this.keys);
    this.refusals = new RefusalList(this.redis, this.keys);
    this.cases = new CaseStore(this, bounds.auditLength);
    this.endpoints = new EndpointCircuits(this.redis, this.keys);
    this.rates = new Rates(this.redis, this.keys);
    this.notices = new NoticeStore(this.redis, this.keys);
    this.boards = new BoardStore(this, () => this.connectAnother("worker"));
  }

  /** Log of people's actions. */
  get people(): RecordList {
    return new RecordList(this, this.bounds.peopleAuditLength);
  }

  /** Standing orders of people. */
  get orders(): OrderList {
    return new OrderList(this);
  }

  /** Opens another connection to the same Redis, for blocking commands and subscriptions. */
  connectAnother(role: ConnectionRole): RedisClient {
    return connect(this.options, role);
  }

  async close(): Promise<void> {
    await this.queues.close();
    this.confirmation.close();
    this.boards.close();
    this.redis.disconnect();
  }
}

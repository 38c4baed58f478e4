import type { Call, GatewayApi, HandlerOf, Route } from "#shared/api";
import type { Archive } from "#shared/archive";
import type { LocalBlobs } from "#shared/blobs";
import type { ApiKey, Config, KeyHolder } from "#shared/config";
import type { Keyring } from "#shared/envelope/keys";
import type { ApiKeys } from "#shared/http";
import type { FairLimit } from "#shared/http/limits";
import type { Team } from "#shared/runtime";
import type { Store } from "#shared/store";
import type { Placement } from "#shared/store/shards";
import type { QueueDamage } from "#shared/store/queues";
import type { RunWatcher } from "#shared/store/runs";
import type { Logger, Metrics } from "#shared/telemetry";
import type { GatewayBounds } from "./bounds.ts";

/** Settings that the gateway has as they are configured. */
type Settings =
  | "queueLimit"
  | "tenantShare"
  | "isReadyWithoutAgents"
  | "agentProtocolTeam"
  | "gatewayPublicUrl"
  | "a2aGrpcPort"
  | "userModels";

/** The parts of a gateway. Everything is passed in, so that tests can use their own. */
export interface GatewayParts extends Pick<Config, Settings> {
  readonly store: Store;
  /** The archive to which ended runs move. Null, the default: they are deleted when their retention is over. */
  readonly archive?: Archive | null;
  readonly watcher: RunWatcher;
  readonly teams: readonly Team[];
  /** Holds at least the keys `gateway>agent` of every agent. */
  readonly keyring: Keyring;
  readonly apiKeys: readonly ApiKey[];
  readonly blobs: LocalBlobs;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Returns true if the ward takes no more cases; new tasks are then refused. */
  readonly wardIsFull: () => Promise<boolean>;
  /** Returns true if Redis holds as much as it may; new tasks are refused then, so that work under way can commit. */
  readonly storeIsFull: () => Promise<boolean>;
  readonly bounds: GatewayBounds;
  /** Keys of what is sealed between this cluster's teams and remote agents of others. Null: none. */
  readonly a2aKeys: Keyring | null;
  /** Hosts that webhooks may be sent to though they are inside, or without TLS. */
  readonly pushHosts: ReadonlySet<string>;
  /** Compares every answer with its declaration, for tests. Default: no. */
  readonly checksAnswers?: boolean;
}

/** The gateway, as every operation works with it. */
export interface Gateway extends GatewayParts {
  /** Configured keys, and those made since. */
  readonly keys: ApiKeys;
  /** The share of one tenant now: `tenantShare` where keys belong to several tenants, else 1. */
  readonly tenantShareNow: () => number;
  /** Open runs by tenant, of every tenant that ever had one. As old as `bounds.fairEveryMs`. */
  readonly openByTenant: () => Promise<ReadonlyMap<string, number>>;
  /** Requests that wait: long polls and event streams. */
  readonly waiters: FairLimit;
  /** Runs whose webhooks are being called. */
  readonly pushes: FairLimit;
  /** Chooses the shards of new runs. */
  readonly placement: Placement;
  /** Runs that have not ended. May be as old as `bounds.staleMsMax`, as the answer of `wardIsFull` here may be. */
  readonly countWaiting: () => Promise<number>;
  /** Order of people about new tasks, as it was read last: true while the gateways take none. */
  readonly intake: { isClosed: boolean };
  /** Damaged keys of the teams' queues, by agent; up to five times as old. */
  readonly queueDamage: () => Promise<ReadonlyMap<string, readonly QueueDamage[]>>;
  /** Aborted when the gateway begins to stop: what waits then ends. */
  readonly stopping: AbortSignal;
}

/** `name@version` of the gateway as a sender of messages. */
export const GATEWAY_ID = "gateway@1";

/** The gateway's additions to a call: the request is authorised and traced. */
export interface Around {
  readonly gateway: Gateway;
  /** Caller of the key that it came with. Null only where `scopes` is null. */
  readonly caller: KeyHolder | null;
  /** Returns true if the key may still do this: it may be revoked while an answer waits. */
  readonly mayStill: () => boolean;
  /** W3C trace context of this request's span. */
  readonly traceparent: string;
}

/** Carries out one operation as `shared/api` declares it; one file each in `operations/`. */
export type Handler<Id extends keyof GatewayApi> = HandlerOf<GatewayApi[Id], Around>;

/** A call whose parts are no longer told apart by type. */
export type GatewayCall = Call<Around>;

export type GatewayRoute = Route<Around>;

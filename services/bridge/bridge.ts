import type { BridgeConfig } from "#shared/config";
import type { Keyring } from "#shared/envelope/keys";
import type { RuntimeLimits, Team } from "#shared/runtime";
import type { Store } from "#shared/store";
import type { GuardOptions } from "#shared/store/queues";
import type { Logger, Metrics } from "#shared/telemetry";

/** Dependencies of a bridge. All are passed in, so that tests can replace them. */
export interface BridgeParts {
  readonly config: BridgeConfig & { readonly cluster: string };
  readonly store: Store;
  /** Verifies the edges that cross, both ways, and signs from the remote agents to the ward. */
  readonly keyring: Keyring;
  readonly teams: readonly Team[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly limits: RuntimeLimits;
  readonly lockMs: number;
  readonly stalledIntervalMs: number;
  readonly guard?: Partial<GuardOptions>;
  /** Returns true when Redis is at its memory limit: the bridge then accepts nothing further. */
  readonly storeIsFull: () => Promise<boolean>;
  readonly wardIsFull: () => Promise<boolean>;
  /** Lifetime of the cancellation marks of guest runs, in ms. */
  readonly markLifeMs: number;
}

/** Paths of the HTTP operations between bridges. */
export const PATHS = { handoffs: "/v1/handoffs", news: "/v1/news" } as const;

/** Maps agents to clusters, from the configured table of peers. */
export class Places {
  readonly #own: string;
  readonly #clusters: ReadonlySet<string>;
  readonly #byAgent: ReadonlyMap<string, string>;
  readonly #here: ReadonlySet<string>;

  constructor({ config, teams }: Pick<BridgeParts, "config" | "teams">) {
    this.#own = config.cluster;
    this.#clusters = new Set([config.cluster, ...config.peers.map(({ cluster }) => cluster)]);
    this.#byAgent = new Map(
      config.peers.flatMap(({ agents, cluster }) => agents.map((agent) => [agent, cluster] as const)),
    );
    const known = teams.flatMap((team) => [...team.agents.keys()]);
    this.#here = new Set(known.filter((agent) => !this.#byAgent.has(agent)));
  }

  /** Agents of the loaded teams that live in this cluster. */
  get here(): readonly string[] {
    return [...this.#here];
  }

  knows(cluster: string): boolean {
    return this.#clusters.has(cluster);
  }

  isHere(agent: string): boolean {
    return this.#here.has(agent);
  }

  /** Returns the cluster of an agent; undefined for an agent in no loaded team and in no table. */
  clusterOf(agent: string): string | undefined {
    return this.#here.has(agent) ? this.#own : this.#byAgent.get(agent);
  }
}

import type { Topology } from "./plan/chapters.ts";
import { SERVICE_NAMES } from "./plan/faults.ts";
import type { LinkName, ServiceName } from "./plan/faults.ts";
import type { RedisUnderTest } from "./redis/open-redis.ts";
import { TcpProxy } from "./tcp-proxy.ts";

/** As many as it takes for each of three masters to have one. */
const CLUSTER_SHARDS = 4;

/** Every connection between processes of one run. */
export class Links {
  readonly #links: ReadonlyMap<LinkName, TcpProxy>;
  /** The checker's own way to Redis, which is never troubled. */
  readonly #checker: TcpProxy | null;
  readonly #redis: RedisUnderTest;

  private constructor(own: {
    links: Map<LinkName, TcpProxy>;
    checker: TcpProxy | null;
    redis: RedisUnderTest;
  }) {
    this.#links = own.links;
    this.#checker = own.checker;
    this.#redis = own.redis;
  }

  /** @param ports - Where the gateway and the outside world listen. */
  static async open(
    redis: RedisUnderTest,
    ports: { readonly gateway: number; readonly outside: number },
  ): Promise<Links> {
    const links = new Map<LinkName, TcpProxy>();
    links.set("client-gateway", await TcpProxy.open(ports.gateway));
    links.set("agents-outside", await TcpProxy.open(ports.outside));
    for (const [name, link] of redis.links) links.set(name, link);
    const [port = 0, ...others] = redis.ports();
    if (others.length > 0) return new Links({ links, checker: null, redis });
    for (const name of SERVICE_NAMES) links.set(`${name}-redis`, await TcpProxy.open(port));
    return new Links({ links, checker: await TcpProxy.open(port), redis });
  }

  /** @throws {Error} This run has no such link: its deck is another topology's. */
  get(name: LinkName): TcpProxy {
    const link = this.#links.get(name);
    if (link === undefined) throw new Error(`There is no link ${name} in this run.`);
    return link;
  }

  /** The addresses of the shards of a topology for one process. */
  redisUrlsOf(client: ServiceName | "checker", topology: Topology): readonly string[] {
    const link = client === "checker" ? this.#checker : this.#links.get(`${client}-redis`);
    if (link !== undefined && link !== null) return [`redis://127.0.0.1:${link.port}`];
    const hosts = this.#redis.ports().map((port) => `127.0.0.1:${port}`);
    if (topology === "shards") return hosts.map((host) => `redis://${host}`);
    return Array.from({ length: CLUSTER_SHARDS }, () => `redis-cluster://${hosts.join(",")}`);
  }

  /** Every client of Redis is led to this server from now on. */
  leadToRedis(port: number): void {
    for (const name of SERVICE_NAMES) this.#links.get(`${name}-redis`)?.leadTo(port);
    this.#checker?.leadTo(port);
  }

  close(): void {
    for (const link of this.#links.values()) link.close();
    this.#checker?.close();
  }
}

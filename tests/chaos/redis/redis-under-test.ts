import type { Topology } from "../plan/chapters.ts";
import type { NodeName } from "../plan/fault.ts";
import type { RedisNode } from "./redis-node.ts";
import type { TcpProxy } from "../tcp-proxy.ts";

/** The servers of one run, and how clients come to them. */
export interface RedisUnderTest {
  /** `redis` is the one that clients are led to now; the others are the masters of a cluster. */
  node(name: NodeName): RedisNode;
  readonly nodes: readonly RedisNode[];
  /** Only with a replica. */
  readonly replica: () => RedisNode | null;
  /** After a failover: who was the replica is the primary. */
  swapRoles(): void;
  /** Ports that clients are to be told of: of the primary, or of the proxies before a cluster's masters. */
  readonly ports: () => readonly number[];
  /** Proxies that belong to the servers and not to one client. */
  readonly links: Readonly<
    Partial<Record<"clients-node-a" | "clients-node-b" | "replica-primary", TcpProxy>>
  >;
}

export interface OpenRedisOptions {
  readonly folder: string;
  readonly topology: Topology;
  readonly fsync: "always" | "everysec";
}

import { now } from "#shared/clock";
import type { Keys } from "./keys.ts";
import type { RedisClient } from "./script.ts";

/** One process that works for one agent, as it last said of itself. */
export interface AgentPresence {
  readonly agent: string;
  readonly version: number;
  readonly team: string;
  readonly accepts: string;
  readonly capabilities: readonly string[];
  readonly description: string;
  readonly concurrency: number;
  readonly instance: string;
  readonly pid: number;
  readonly started_ms: number;
  readonly seen_ms: number;
  /** `held`: it takes no work until its clock is right again. Absent in what older processes write: working. */
  readonly state?: "working" | "held";
  /** Consumers of its process that were silent and started anew. */
  readonly restarts?: number;
}

/** One process of a service that is no agent, as it last announced itself. */
export interface ServicePresence {
  readonly service: "surgeon";
  readonly instance: string;
  readonly pid: number;
  readonly started_ms: number;
  readonly seen_ms: number;
}

/** A process not heard of for this long is not counted as live. */
export const PRESENCE_MS_MAX = 15_000;

/** Processes call `announce` this often. */
export const ANNOUNCE_EVERY_MS = 5000;

/** The live registry: who works, with which version and capabilities. */
export class AgentRegistry {
  private readonly redis: RedisClient;
  private readonly keys: Keys;

  constructor(redis: RedisClient, keys: Keys) {
    this.redis = redis;
    this.keys = keys;
  }

  async announce(presences: readonly Omit<AgentPresence, "seen_ms">[]): Promise<void> {
    const seen_ms = now();
    const fields = presences.map(
      (presence) =>
        [`${presence.agent}|${presence.instance}`, JSON.stringify({ ...presence, seen_ms })] as const,
    );
    if (fields.length > 0) await this.redis.hset(this.keys.registry("agents"), Object.fromEntries(fields));
  }

  async leave(presences: readonly Pick<AgentPresence, "agent" | "instance">[]): Promise<void> {
    const names = presences.map((presence) => `${presence.agent}|${presence.instance}`);
    if (names.length > 0) await this.redis.hdel(this.keys.registry("agents"), ...names);
  }

  /** Live processes; those that fell silent are forgotten in passing. */
  async live(): Promise<AgentPresence[]> {
    // Written by `announce`.
    return (await this.liveIn("agents")) as AgentPresence[];
  }

  private async liveIn(name: "agents" | "services"): Promise<{ readonly seen_ms: number }[]> {
    const key = this.keys.registry(name);
    const live: { readonly seen_ms: number }[] = [];
    const silent: string[] = [];
    for (const [field, text] of Object.entries(await this.redis.hgetall(key))) {
      // Both kinds have it.
      const presence = JSON.parse(text) as { readonly seen_ms: number };
      if (now() - presence.seen_ms <= PRESENCE_MS_MAX) live.push(presence);
      else silent.push(field);
    }
    if (silent.length > 0) await this.redis.hdel(key, ...silent);
    return live;
  }

  /** Announces a process of a service; to be repeated every `ANNOUNCE_EVERY_MS`. */
  async announceService(presence: Omit<ServicePresence, "seen_ms">): Promise<void> {
    const field = `${presence.service}|${presence.instance}`;
    await this.redis.hset(
      this.keys.registry("services"),
      field,
      JSON.stringify({ ...presence, seen_ms: now() }),
    );
  }

  async leaveService({ service, instance }: Pick<ServicePresence, "service" | "instance">): Promise<void> {
    await this.redis.hdel(this.keys.registry("services"), `${service}|${instance}`);
  }

  /** Returns the live processes of services. */
  async liveServices(): Promise<ServicePresence[]> {
    // Written by `announceService`.
    return (await this.liveIn("services")) as ServicePresence[];
  }

  /** Live agents that have every capability asked for and accept the contract's name. */
  async capable(wanted: { capabilities: readonly string[]; contractName: string }): Promise<string[]> {
    const names = (await this.live())
      .filter((presence) => wanted.capabilities.every((one) => presence.capabilities.includes(one)))
      .filter((presence) => presence.accepts.startsWith(`${wanted.contractName}@`))
      .map((presence) => presence.agent);
    return [...new Set(names)].toSorted();
  }
}

import { now } from "#shared/clock";
import { isObjectWith, readJson } from "./read-fields.ts";
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
  /** Present while the circuit of the model it asks is open: messages that need the model are put off. */
  readonly waits_for_model?: {
    readonly model: string;
    /** `configuration`: somebody has to correct a setting. */
    readonly reason: string;
    readonly since_ms: number;
  };
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

/** What the fields begin with that say of an agent when it was last worked for. No agent's name begins so. */
const KNOWN = "|";

/** Processes of one agent whose announcements are copied at once. */
const PRESENCES_MAX = 1000;

/** What an isolated agent writes in the place of an announcement when its process ends. */
const LEFT = "{}";

/** The live registry: who works, with which version and capabilities. */
export class AgentRegistry {
  private readonly redis: RedisClient;
  private readonly keys: Keys;
  private readonly isolatedAs: string | null;

  /** @param isolatedAs - The agent that may write its own slot alone: it announces itself there, for a relay. */
  constructor(redis: RedisClient, keys: Keys, isolatedAs: string | null = null) {
    this.redis = redis;
    this.keys = keys;
    this.isolatedAs = isolatedAs;
  }

  private get place(): string {
    return this.isolatedAs === null ? this.keys.registry("agents") : this.keys.presence(this.isolatedAs);
  }

  async announce(presences: readonly Omit<AgentPresence, "seen_ms">[]): Promise<void> {
    const seen_ms = now();
    const fields = presences.map(
      (presence) =>
        [`${presence.agent}|${presence.instance}`, JSON.stringify({ ...presence, seen_ms })] as const,
    );
    const known = presences.map(({ agent }) => [`${KNOWN}${agent}`, String(seen_ms)] as const);
    if (fields.length > 0) await this.redis.hset(this.place, Object.fromEntries([...fields, ...known]));
  }

  /**
   * Copies what an isolated agent announces of itself into the registry. What is no announcement of this very agent,
   * or an old one, is forgotten.
   *
   * @param agree - Returns what may be said of such a process, of all that it says of itself.
   * @returns How many announcements there were that are none of this agent's.
   */
  async copyPresence(agent: string, agree: (said: AgentPresence) => AgentPresence): Promise<number> {
    const own = this.keys.presence(agent);
    if ((await this.redis.hlen(own)) > PRESENCES_MAX) return this.redis.del(own);
    const kept: [string, string][] = [];
    const over: string[] = [];
    let foreign = 0;
    for (const [field, text] of Object.entries(await this.redis.hgetall(own))) {
      if (field === `${KNOWN}${agent}`) continue;
      const said = readJson(text);
      const isOwn = isPresence(said) && said.agent === agent && field === `${agent}|${said.instance}`;
      if (!isOwn && text !== LEFT) foreign += 1;
      if (isOwn && Math.abs(now() - said.seen_ms) <= PRESENCE_MS_MAX)
        kept.push([field, JSON.stringify(agree(said))]);
      else over.push(field);
    }
    const registry = this.keys.registry("agents");
    if (kept.length > 0) {
      const known = { [`${KNOWN}${agent}`]: String(now()) };
      await this.redis.hset(registry, { ...Object.fromEntries(kept), ...known });
    }
    const left = over.filter((field) => field.startsWith(`${agent}|`));
    if (left.length > 0) await this.redis.hdel(registry, ...left);
    if (over.length > 0) await this.redis.hdel(own, ...over);
    return foreign;
  }

  /** Agents that a process worked for once and none does now, with when one was last heard of, in ms. */
  async absent(): Promise<ReadonlyMap<string, number>> {
    const fields = Object.entries(await this.redis.hgetall(this.keys.registry("agents")));
    const absent = fields
      .filter(([name]) => name.startsWith(KNOWN))
      .map(([name, seen]) => [name.slice(KNOWN.length), Number(seen)] as const)
      .filter(([, seen]) => now() - seen > PRESENCE_MS_MAX);
    return new Map(absent);
  }

  /** Forgets that a process ever worked for this agent. One that works for it says so again. */
  async forget(agent: string): Promise<void> {
    await this.redis.hdel(this.keys.registry("agents"), `${KNOWN}${agent}`);
  }

  async leave(presences: readonly Pick<AgentPresence, "agent" | "instance">[]): Promise<void> {
    const names = presences.map(({ agent, instance }) => `${agent}|${instance}`);
    if (names.length === 0) return;
    if (this.isolatedAs === null) await this.redis.hdel(this.keys.registry("agents"), ...names);
    // The relay takes one of long ago out of the registry.
    else await this.redis.hset(this.place, Object.fromEntries(names.map((name) => [name, LEFT])));
  }

  /** Live processes; those that fell silent are forgotten in passing. */
  live(): Promise<AgentPresence[]> {
    return this.liveIn("agents", isPresence);
  }

  private async liveIn<One extends { readonly seen_ms: number }>(
    name: "agents" | "services",
    isOne: (value: unknown) => value is One,
  ): Promise<One[]> {
    const key = name === "agents" ? this.place : this.keys.registry(name);
    const live: One[] = [];
    const silent: string[] = [];
    for (const [field, text] of Object.entries(await this.redis.hgetall(key))) {
      if (field.startsWith(KNOWN) || text === LEFT) continue;
      const presence = readJson(text);
      // One that cannot be read is forgotten: a process that lives announces itself again.
      if (isOne(presence) && now() - presence.seen_ms <= PRESENCE_MS_MAX) live.push(presence);
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
  liveServices(): Promise<ServicePresence[]> {
    return this.liveIn("services", isServicePresence);
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

/** What `announce` writes, as far as anybody relies on it. */
function isPresence(value: unknown): value is AgentPresence {
  if (!isObjectWith(value, "agent", "team", "accepts", "description", "instance")) return false;
  const { capabilities, seen_ms } = value as AgentPresence;
  return typeof seen_ms === "number" && Array.isArray(capabilities);
}

/** What `announceService` writes, as far as anybody relies on it. */
function isServicePresence(value: unknown): value is ServicePresence {
  return isObjectWith(value, "service", "instance") && typeof (value as ServicePresence).seen_ms === "number";
}

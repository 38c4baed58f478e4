import { now } from "#shared/clock";
import { isObjectWith, readJson } from "./read-fields.ts";
import type { Keys } from "./keys.ts";
import type { RedisClient } from "./script.ts";

/** Presence of one process that works for one agent. */
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
  /** `held`: it takes no jobs because of clock skew. Absent (older processes): working. */
  readonly state?: "working" | "held";
  /** Number of consumers that its process restarted. */
  readonly restarts?: number;
  /** Present while the circuit of its model is open: messages that need the model are postponed. */
  readonly waits_for_model?: {
    readonly model: string;
    /** `configuration`: a setting must be corrected. */
    readonly reason: string;
    readonly since_ms: number;
  };
}

/** Presence of one process of a service other than agents. */
export interface ServicePresence {
  readonly service: "surgeon";
  readonly instance: string;
  readonly pid: number;
  readonly started_ms: number;
  readonly seen_ms: number;
}

/** Maximum age of a live presence, in ms. */
export const PRESENCE_MS_MAX = 15_000;

/** Heartbeat interval: processes call `announce` this often, in ms. */
export const ANNOUNCE_EVERY_MS = 5000;

/** Prefix of fields that hold when an agent was last live. No agent name begins with it. */
const KNOWN = "|";

/** Maximum processes of one agent whose presence is copied. */
const PRESENCES_MAX = 1000;

/** Written by an isolated agent instead of a presence when its process ends. */
const LEFT = "{}";

/** Live registry of agents: processes, versions and capabilities (heartbeat). */
export class AgentRegistry {
  private readonly redis: RedisClient;
  private readonly keys: Keys;
  private readonly isolatedAs: string | null;

  /** @param isolatedAs - An isolated agent, which announces itself in its own slot for a relay. */
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
   * Copies the presence of an isolated agent's processes to the registry. Deletes invalid and outdated ones.
   *
   * @param agree - Returns the part of a presence that may be published.
   * @returns Number of presences that do not belong to this agent.
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

  /** Returns agents that were live once and are not now, with the time of their last heartbeat, in ms. */
  async absent(): Promise<ReadonlyMap<string, number>> {
    const fields = Object.entries(await this.redis.hgetall(this.keys.registry("agents")));
    const absent = fields
      .filter(([name]) => name.startsWith(KNOWN))
      .map(([name, seen]) => [name.slice(KNOWN.length), Number(seen)] as const)
      .filter(([, seen]) => now() - seen > PRESENCE_MS_MAX);
    return new Map(absent);
  }

  /** Deletes the record that an agent was ever live. A live process writes it again. */
  async forget(agent: string): Promise<void> {
    await this.redis.hdel(this.keys.registry("agents"), `${KNOWN}${agent}`);
  }

  async leave(presences: readonly Pick<AgentPresence, "agent" | "instance">[]): Promise<void> {
    const names = presences.map(({ agent, instance }) => `${agent}|${instance}`);
    if (names.length === 0) return;
    if (this.isolatedAs === null) await this.redis.hdel(this.keys.registry("agents"), ...names);
    // The relay removes an outdated one from the registry.
    else await this.redis.hset(this.place, Object.fromEntries(names.map((name) => [name, LEFT])));
  }

  /** Returns live processes, and deletes expired ones. */
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
      // An unreadable presence is deleted: a live process announces itself again.
      if (isOne(presence) && now() - presence.seen_ms <= PRESENCE_MS_MAX) live.push(presence);
      else silent.push(field);
    }
    if (silent.length > 0) await this.redis.hdel(key, ...silent);
    return live;
  }

  /** Announces a process of a service (heartbeat); repeat every `ANNOUNCE_EVERY_MS`. */
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

  /** Returns live agents that have all given capabilities and accept the contract. */
  async capable(wanted: { capabilities: readonly string[]; contractName: string }): Promise<string[]> {
    const names = (await this.live())
      .filter((presence) => wanted.capabilities.every((one) => presence.capabilities.includes(one)))
      .filter((presence) => presence.accepts.startsWith(`${wanted.contractName}@`))
      .map((presence) => presence.agent);
    return [...new Set(names)].toSorted();
  }
}

/** Checks the fields of a presence that other code relies on. */
function isPresence(value: unknown): value is AgentPresence {
  if (!isObjectWith(value, "agent", "team", "accepts", "description", "instance")) return false;
  const { capabilities, seen_ms } = value as AgentPresence;
  return typeof seen_ms === "number" && Array.isArray(capabilities);
}

/** Checks the fields of a service presence that other code relies on. */
function isServicePresence(value: unknown): value is ServicePresence {
  return isObjectWith(value, "service", "instance") && typeof (value as ServicePresence).seen_ms === "number";
}

import { now } from "#shared/clock";
import { readJson } from "#shared/json";
import { isObjectWith } from "./read-fields.ts";
import { StorePart } from "./store-part.ts";

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

/** Maximum age of a live presence, in ms. */
export const PRESENCE_MS_MAX = 15_000;

/** Heartbeat interval: processes call `announce` this often, in ms. */
export const ANNOUNCE_EVERY_MS = 5000;

/** Prefix of fields that hold when an agent was last live. No agent name begins with it. */
const KNOWN = "|";

/** Live registry of agents: processes, versions and capabilities (heartbeat). */
export class AgentRegistry extends StorePart {
  async announce(presences: readonly Omit<AgentPresence, "seen_ms">[]): Promise<void> {
    const seen_ms = now();
    const fields = presences.map(
      (presence) =>
        [`${presence.agent}|${presence.instance}`, JSON.stringify({ ...presence, seen_ms })] as const,
    );
    const known = presences.map(({ agent }) => [`${KNOWN}${agent}`, String(seen_ms)] as const);
    if (fields.length > 0)
      await this.redis.hset(this.keys.registry("agents"), Object.fromEntries([...fields, ...known]));
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
    if (names.length > 0) await this.redis.hdel(this.keys.registry("agents"), ...names);
  }

  /** Returns live processes, and deletes expired ones. */
  async live(): Promise<AgentPresence[]> {
    const key = this.keys.registry("agents");
    const live: AgentPresence[] = [];
    const silent: string[] = [];
    for (const [field, text] of Object.entries(await this.redis.hgetall(key))) {
      if (field.startsWith(KNOWN)) continue;
      const presence = readJson(text);
      // An unreadable presence is deleted: a live process announces itself again.
      if (isPresence(presence) && now() - presence.seen_ms <= PRESENCE_MS_MAX) live.push(presence);
      else silent.push(field);
    }
    if (silent.length > 0) await this.redis.hdel(key, ...silent);
    return live;
  }

  /** Announces the process of a surgeon (heartbeat); repeat every `ANNOUNCE_EVERY_MS`. */
  async announceSurgeon(instance: string): Promise<void> {
    await this.redis.hset(this.keys.registry("surgeons"), instance, now());
  }

  async leaveSurgeon(instance: string): Promise<void> {
    await this.redis.hdel(this.keys.registry("surgeons"), instance);
  }

  /** Returns true while a surgeon is live, and deletes expired ones. */
  async hasSurgeon(): Promise<boolean> {
    const key = this.keys.registry("surgeons");
    const seen = Object.entries(await this.redis.hgetall(key));
    const silent = seen.filter(([, ms]) => !(now() - Number(ms) <= PRESENCE_MS_MAX));
    if (silent.length > 0) await this.redis.hdel(key, ...silent.map(([instance]) => instance));
    return silent.length < seen.length;
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

import { HEAR, LOOK, scriptCommands, workCommands } from "./access-commands.ts";
import { Keys } from "./keys.ts";

/** Users of Redis: a role for each kind of process, and one that only looks. The same for all teams and agents. */
export const REDIS_USERS = ["agent", "gateway", "surgeon", "console", "readonly"] as const;

export type RedisUser = (typeof REDIS_USERS)[number];

/** ACL rule of one Redis user: the least privilege with which a process of its role can do all its work. */
export interface AccessRule {
  readonly user: RedisUser;
  /** Key patterns that it reads and writes. */
  readonly keys: readonly string[];
  /** Key patterns that it only reads. */
  readonly readKeys: readonly string[];
  /** Pub/sub channel patterns. */
  readonly channels: readonly string[];
  readonly commands: readonly string[];
  /** Further permissions (selectors of ACL), each with keys of its own. Default: none. */
  readonly selectors?: readonly string[];
}

/** Returns the ACL rules of all roles under one prefix. What agents may not write is outside of `<prefix>:{s`. */
export function accessRules(prefix: string): readonly AccessRule[] {
  const keys = new Keys(prefix);
  const work = { channels: [`${prefix}:run:*`], commands: workCommands() };
  const family = (name: string): string => `${prefix}:{s*}/${name}`;
  const queues = `${prefix}:{s*}:*`;
  const ward = `${prefix}:ward:*`;
  // `mark`: written after what replicas must have.
  const runs = [family("runs/*"), family("mark")];
  const registry = keys.registry("*");
  const [orders, restored] = [keys.people("orders"), keys.people("restored")];
  const books = ["led/*", "fan/*", "fan-due/*", "prompt/*", "feedback/*"].map(family);
  const inbox = `${prefix}:ward:{s*}/inbox`;
  const door = [keys.refusals(), keys.door("rate:*")];
  return [
    {
      user: "agent",
      channels: [...work.channels, `${prefix}:board:*`],
      commands: [...work.commands, ...HEAR],
      keys: [`${prefix}:{s*`, registry, `${keys.board("*")}/*`],
      // Orders of people, which it obeys.
      readKeys: [orders, restored],
      // It appends dead messages and does nothing else there. Without the second one a script that names the inbox
      // among its keys is refused as a whole; each of its commands is held against all of these.
      selectors: [`-@all +rpush ~${inbox}`, `-@all ${scriptCommands().join(" ")} ~${prefix}:{s* ~${inbox}`],
    },
    {
      ...work,
      user: "gateway",
      commands: [...work.commands, ...HEAR],
      // It deletes expired claims where no worker of the agent is left to do so.
      keys: [
        queues,
        ...runs,
        ...["once/*", "claims/*"].map(family),
        `${prefix}:gateway:*`,
        registry,
        ...door,
      ],
      // Only the console creates and revokes clients' API keys.
      readKeys: [...books, ward, keys.door("api-keys*"), orders, restored, keys.people("replays")],
    },
    {
      ...work,
      user: "surgeon",
      // It also keeps ledgers of messages that wait for a person from expiring.
      keys: [ward, queues, ...runs, ...["led/*", "feedback/*"].map(family), registry],
      readKeys: [...books, orders, keys.people("webhook-tests")],
    },
    {
      ...work,
      user: "console",
      commands: [...work.commands, ...HEAR],
      keys: [ward, queues, ...runs, family("feedback/*"), registry, keys.door("*"), keys.people("*")],
      readKeys: [...books, family("once/*"), `${prefix}:gateway:*`],
    },
    { user: "readonly", keys: [], readKeys: [`${prefix}:*`], channels: [], commands: LOOK },
  ];
}

/** Formats a rule as one line of an ACL file; needs Redis 7 or Valkey. @param passwordSha256 - In hex. */
export function formatAclLine(rule: AccessRule, passwordSha256: string): string {
  const words = [
    "user",
    rule.user,
    "on",
    `#${passwordSha256}`,
    "resetkeys",
    "resetchannels",
    ...rule.keys.map((pattern) => `~${pattern}`),
    ...rule.readKeys.map((pattern) => `%R~${pattern}`),
    ...rule.channels.map((pattern) => `&${pattern}`),
    ...rule.commands,
    ...(rule.selectors ?? []).map((selector) => `(${selector})`),
  ];
  return words.join(" ");
}

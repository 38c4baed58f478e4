import { HEAR, LOOK, scriptCommands, workCommands } from "./access-commands.ts";
import { Keys, retryQueueOf, WARD_QUEUE } from "./keys.ts";

/** The part of an agent's declaration that decides its Redis access. */
export interface AccessAgent {
  readonly name: string;
  /** Agents it hands work to. */
  readonly receivers: readonly string[];
  /** Receivers at which it opens fan-outs. */
  readonly joins: readonly string[];
}

/** ACL rule of one Redis user: the least privilege with which its service can do all its work. */
export interface AccessRule {
  readonly user: string;
  /** What the user is for. Written as a comment into the ACL file. */
  readonly purpose: string;
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

/** Returns the key patterns that the rules are composed of. */
function patternsOf(prefix: string) {
  const keys = new Keys(prefix);
  const fresh = (name: string): string => keys.job(name, "*");
  return {
    keys,
    runs: ["run:*", "cancelled:*", "counts", "index*", "owner*"].map((name) => keys.runs(name)),
    ward: [keys.ward("*"), keys.job(WARD_QUEUE, "*")],
    feedback: ["endpoint:*", "rates:*", "handoffs:*", "notices*"].map((name) => keys.ward(name)),
    registry: keys.registry("*"),
    fresh,
    lanes: (name: string): string[] => [fresh(name), keys.job(retryQueueOf(name), "*")],
    books: (name: string): string[] => [
      keys.ledger(name, "*"),
      keys.fanOut(name, "*"),
      keys.prompt(name, "*"),
    ],
    claimed: (name: string): string => keys.own(name, "once:*"),
    shared: { channels: [keys.runChannel("*")], commands: workCommands() },
  };
}

function agentRule(prefix: string, { name, receivers, joins }: AccessAgent): AccessRule {
  const { keys, runs, feedback, registry, fresh, lanes, shared } = patternsOf(prefix);
  const opened = joins.flatMap((one) => [keys.fanOut(one, "*"), keys.fanOuts(one)]);
  return {
    ...shared,
    user: `agent-${name}`,
    purpose: `the agent ${name}: its own keys, and what it hands on`,
    keys: [
      ...lanes(name),
      keys.own(name, "*"),
      ...receivers.map(fresh),
      ...opened,
      `${keys.board("*")}/*`,
      ...runs,
      ...feedback,
      registry,
    ],
    // It appends dead messages and does nothing else there. Without the second one a script that names the inbox among
    // its keys is refused as a whole; each of its commands is held against all of these.
    selectors: [`-@all +rpush ~${keys.inbox()}`, `-@all ${scriptCommands().join(" ")} ~${keys.queuePrefix}*`],
    // Signed orders, which it verifies and obeys.
    readKeys: [keys.people("orders")],
    channels: [...shared.channels, keys.boardChannel("*")],
    commands: [...workCommands(), ...HEAR],
  };
}

/** Returns the ACL rules of every service under one prefix. Pure. */
export function accessRules(prefix: string, agents: readonly AccessAgent[]): readonly AccessRule[] {
  const { keys, runs, ward, registry, lanes, books, claimed, shared } = patternsOf(prefix);
  const names = agents.map(({ name }) => name);
  const trusted = [keys.door("*"), keys.people("*"), keys.mostRecent("*")];
  return [
    ...agents.map((agent) => agentRule(prefix, agent)),
    {
      ...shared,
      user: "gateway",
      purpose: "takes tasks, puts first messages into queues, cancels runs, reads the rest",
      keys: [
        keys.runs("*"),
        ...names.flatMap(lanes),
        // It deletes expired claims where no worker of the agent is left to do so.
        ...names.flatMap((name) => [keys.claims(name), claimed(name)]),
        registry,
        keys.refusals(),
        keys.door("rate:*"),
      ],
      // Only the console creates and revokes clients' API keys.
      readKeys: [...names.flatMap(books), ...ward, keys.door("api-keys*"), keys.people("orders")],
      commands: [...workCommands(), ...HEAR],
    },
    {
      ...shared,
      user: "surgeon",
      purpose: "works in the ward and sends what it healed",
      // It also keeps ledgers of messages that wait for a person from expiring.
      keys: [
        ...ward,
        ...runs,
        ...names.flatMap(lanes),
        ...names.map((name) => keys.ledger(name, "*")),
        registry,
        keys.mostRecent("*"),
      ],
      readKeys: [...names.flatMap(books), keys.people("orders")],
    },
    {
      ...shared,
      user: "console",
      purpose: "carries out what people decide, and shows the rest",
      keys: [...ward, ...runs, ...names.flatMap(lanes), registry, ...trusted],
      readKeys: [...names.flatMap(books), ...names.map(claimed), keys.runs("*")],
      commands: [...workCommands(), ...HEAR],
    },
    lookingRule(prefix),
  ];
}

function lookingRule(prefix: string): AccessRule {
  return {
    user: "readonly",
    purpose: "people and dashboards that only look",
    keys: [],
    readKeys: [`${prefix}:*`],
    channels: [],
    commands: LOOK,
  };
}

/**
 * Formats a rule as one line of an ACL file. Read-only key patterns need Redis 7 or Valkey.
 *
 * @param passwordSha256 - SHA-256 of the password, in hex.
 */
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

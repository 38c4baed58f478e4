import { uuidv7 } from "#shared/clock";
import type { Keys } from "#shared/store";
import { OWN } from "./act.ts";
import type { Act, Aim } from "./act.ts";
import type { Victims } from "./victims.ts";

interface Place {
  readonly keys: Keys;
  readonly victims: Victims;
}

type Command = readonly [string, ...string[]];

/** Each a command that the agent's user sends, past all of our code. */
const COMMANDS: readonly [Aim, string, (place: Place) => Command][] = [
  [
    "forge",
    "puts a message into the queue of who pays",
    ({ keys }) => ["LPUSH", queue(keys, "refunds", "wait"), uuidv7()],
  ],
  ["delete", "what waits for who pays", ({ keys }) => ["DEL", queue(keys, "refunds", "wait")]],
  ["forge", "an order of people", ({ keys }) => ["HSET", keys.people("orders"), "pause:refunds", "{}"]],
  ["replay", "makes another forget what it did", ({ keys }) => ["DEL", keys.ledger("refunds", "x")]],
  ["replay", "forgets that a payment was claimed", ({ keys }) => ["DEL", keys.claims("refunds")]],
  ["read", "API keys", ({ keys }) => ["HGETALL", keys.door("api-keys")]],
  [
    "read",
    "by copying it to a key of its own",
    ({ keys, victims }) => ["COPY", keys.run(victims.paid), own(keys)],
  ],
  ["read", "every command of others", () => ["MONITOR"]],
  ["read", "all channels at once", () => ["PSUBSCRIBE", "*"]],
  ["delete", "everything", () => ["FLUSHALL"]],
  ["delete", "what people did", ({ keys }) => ["LTRIM", keys.people("records"), "1", "0"]],
  [
    "delete",
    "by a script that hides which key it writes",
    ({ keys, victims }) => ["EVAL", "return redis.call('del', ARGV[1])", "0", keys.run(victims.paid)],
  ],
  ["spend", "the quota of a client", ({ keys }) => ["SET", keys.door("requests:local"), "100000"]],
  ["flood", "the whole server, by a script without end", () => ["EVAL", "while true do end", "0"]],
  [
    "impersonate",
    "another, by giving itself its rights",
    () => ["ACL", "SETUSER", `agent-${OWN}`, "allkeys"],
  ],
  ["impersonate", "the surgeon, with its own password", () => ["AUTH", "surgeon", "guessed"]],
  ["escape", "by a file that Redis writes", () => ["CONFIG", "SET", "dir", "/tmp"]],
  [
    "escape",
    "by moving keys to another server",
    ({ keys }) => ["MIGRATE", "127.0.0.1", "1", own(keys), "0", "1"],
  ],
  [
    "admit",
    "a case of its own making",
    ({ keys }) => ["HSET", keys.ward(`case:${uuidv7()}`), "status", "admitted"],
  ],
  [
    "decide",
    "that a case is released",
    ({ keys, victims }) => [
      "HSET",
      keys.ward(`case:${victims.waitingCase}`),
      "decision",
      `{"kind":"release"}`,
    ],
  ],
  [
    "approve",
    "what waits for a second person",
    ({ keys, victims }) => ["HSET", keys.ward(`case:${victims.waitingCase}`), "approval", `{"by":"ada"}`],
  ],
  [
    "approve",
    "a recipe",
    ({ keys }) => ["HSET", keys.ward("recipe:refunds/*/refunds.request@2"), "state", "trusted"],
  ],
  ["read", "dead messages of others", ({ keys }) => ["LRANGE", keys.inbox(), "0", "-1"]],
  ["delete", "dead messages of others", ({ keys }) => ["LTRIM", keys.inbox(), "1", "0"]],
];

/** What Redis lets an agent do in its domain, and docs/operating/trust.md says so. */
const LET: readonly [Aim, string, (place: Place) => Command][] = [
  [
    "forge",
    "puts a message into the queue of who it hands to",
    ({ keys }) => ["LPUSH", queue(keys, "reply", "wait"), uuidv7()],
  ],
  [
    "forge",
    "tells a run that it is done",
    ({ keys, victims }) => ["HSET", keys.run(victims.waiting), "status", "completed"],
  ],
  ["read", "another's run", ({ keys, victims }) => ["HGETALL", keys.run(victims.paid)]],
  [
    "teach",
    "that another fails all the time",
    ({ keys }) => ["HSET", keys.ward("rates:h:1"), "b|refunds@1|refunds.request@2|-|1", "99"],
  ],
  ["delete", "what waits for who it hands to", ({ keys }) => ["DEL", queue(keys, "reply", "wait")]],
  ["impersonate", "another, in the registry", ({ keys }) => ["HSET", keys.registry("agents"), "x", "{}"]],
  ["admit", "a dead message of its own making", ({ keys }) => ["RPUSH", keys.inbox(), "{}"]],
];

function queue(keys: Keys, agent: string, list: string): string {
  return `${keys.queuePrefix}:${agent}:${list}`;
}

function own(keys: Keys): string {
  return keys.ledger(OWN, "of-the-attack");
}

export const ACTS_IN_REDIS: readonly Act[] = [
  ...COMMANDS.map(([aim, name, commandOf]): Act => ({
    aim,
    name,
    refused: { by: "redis" },
    attempt: async ({ raw, cluster: { keys }, victims }) => {
      await raw.hset(own(keys), "x", "1");
      const [command, ...args] = commandOf({ keys, victims });
      return raw.call(command, ...args);
    },
  })),
  ...LET.map(([aim, name, commandOf]): Act => ({
    aim,
    name,
    refused: { by: "nobody", command: ({ cluster: { keys }, victims }) => commandOf({ keys, victims }) },
    attempt: () => Promise.resolve(),
  })),
  {
    aim: "delete",
    name: "among commands that it may send, in one transaction",
    refused: { by: "redis" },
    attempt: ({ raw, cluster: { keys } }) =>
      raw.multi().hset(own(keys), "x", "1").del(keys.people("records")).exec(),
  },
];

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
  ["forge", "an order of people", ({ keys }) => ["HSET", keys.people("orders"), "pause:refunds", "{}"]],
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
  ["impersonate", "another, by giving itself its rights", () => ["ACL", "SETUSER", "agent", "allkeys"]],
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
  [
    "decide",
    "that a group is resolved",
    ({ keys }) => ["HSET", keys.ward("group:x"), "lifecycle", "resolved"],
  ],
  ["decide", "that a batch goes on", ({ keys }) => ["HSET", keys.ward("batch:x"), "state", "running"]],
  ["forge", "a line of the ward's audit", ({ keys }) => ["LPUSH", keys.ward("audit"), "{}"]],
  ["admit", "a job of the surgeon's", ({ keys }) => ["LPUSH", keys.job("ward", "wait"), uuidv7()]],
  ["delete", "what waits for the surgeon", ({ keys }) => ["DEL", keys.job("ward", "wait")]],
  [
    "replay",
    "an older state of a case, by lowering its version",
    ({ keys, victims }) => ["HSET", keys.ward(`case:${victims.waitingCase}`), "version", "1"],
  ],
  ["replay", "a task of a client", ({ keys }) => ["DEL", keys.gateway("idempotency:x")]],
  ["read", "dead messages of others", ({ keys }) => ["LRANGE", keys.inbox(), "0", "-1"]],
  ["delete", "dead messages of others", ({ keys }) => ["LTRIM", keys.inbox(), "1", "0"]],
];

/** Acts in its domain that Redis allows to an agent. Each is named, by aim and name, in docs/operating/trust.md. */
const LET: readonly [Aim, string, (place: Place) => Command][] = [
  [
    "forge",
    "puts a message into the queue of who pays",
    ({ keys }) => ["LPUSH", queue(keys, "refunds", "wait"), uuidv7()],
  ],
  ["delete", "what waits for who pays", ({ keys }) => ["DEL", queue(keys, "refunds", "wait")]],
  ["replay", "makes another forget what it did", ({ keys }) => ["DEL", keys.ledger("refunds", "x")]],
  ["replay", "forgets that a payment was claimed", ({ keys }) => ["DEL", keys.claims("refunds")]],
  [
    "forge",
    "tells a run that it is done",
    ({ keys, victims }) => ["HSET", keys.run(victims.waiting), "status", "completed"],
  ],
  [
    "spend",
    "the budget of another's run",
    ({ keys, victims }) => ["HINCRBY", keys.run(victims.waiting), "cost_micro", "1"],
  ],
  [
    "delete",
    "a run of others by cancelling it",
    ({ keys, victims }) => ["SET", keys.cancelled(victims.mail), "x"],
  ],
  ["read", "what waits for who pays", ({ keys }) => ["LRANGE", queue(keys, "refunds", "wait"), "0", "-1"]],
  ["forge", "an entry of a board", ({ keys }) => ["HSET", `${keys.board("any")}/entries`, "x", "{}"]],
  ["flood", "the memory of Redis", ({ keys }) => ["SET", keys.ledger("sales", "of-the-flood"), "x"]],
  ["read", "another's run", ({ keys, victims }) => ["HGETALL", keys.run(victims.paid)]],
  [
    "teach",
    "that another fails all the time",
    ({ keys }) => ["HSET", keys.feedback("rates:h:1"), "b|refunds@1|refunds.request@2|-|1", "99"],
  ],
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

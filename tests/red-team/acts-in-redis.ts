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
    "puts a message into another's queue",
    ({ keys }) => ["LPUSH", queue(keys, "reply", "wait"), uuidv7()],
  ],
  ["forge", "wakes another's worker", ({ keys }) => ["ZADD", queue(keys, "reply", "marker"), "0", "0"]],
  [
    "forge",
    "writes a job of another",
    ({ keys }) => ["HSET", keys.job("refunds", "refunds", uuidv7()), "data", "{}"],
  ],
  ["forge", "writes into another's outbox", ({ keys }) => ["HSET", keys.outbox("refunds"), "x", "{}"]],
  ["forge", "calls a relay in another's name", ({ keys }) => ["RPUSH", keys.outboxCalls("refunds"), "x"]],
  [
    "forge",
    "tells a run that it is done",
    ({ keys, victims }) => ["HSET", keys.run(victims.waiting), "status", "completed"],
  ],
  [
    "forge",
    "announces a change that is none",
    ({ keys, victims }) => ["PUBLISH", keys.runChannel(victims.paid), "x"],
  ],
  ["forge", "adds to a board", ({ keys }) => ["XADD", `${keys.board("b")}/entries`, "*", "a", "b"]],
  [
    "replay",
    "puts a settled message of another back",
    ({ keys }) => ["ZADD", queue(keys, "refunds", "delayed"), "0", "x"],
  ],
  ["replay", "forgets that a payment was claimed", ({ keys }) => ["DEL", keys.claims("refunds")]],
  [
    "replay",
    "forgets that a message was settled",
    ({ keys, victims }) => ["DEL", keys.ledger("refunds", victims.paid)],
  ],
  ["read", "a message of another", ({ keys }) => ["HGETALL", keys.job("escalation", "escalation", uuidv7())]],
  ["read", "who waits at another", ({ keys }) => ["LRANGE", queue(keys, "escalation", "wait"), "0", "-1"]],
  ["read", "another's ledger", ({ keys, victims }) => ["HGETALL", keys.ledger("refunds", victims.paid)]],
  ["read", "another's run", ({ keys, victims }) => ["HGETALL", keys.run(victims.paid)]],
  ["read", "a case", ({ keys, victims }) => ["HGETALL", keys.ward(`case:${victims.waitingCase}`)]],
  ["read", "what people did", ({ keys }) => ["LRANGE", keys.people("records"), "0", "-1"]],
  ["read", "API keys", ({ keys }) => ["HGETALL", keys.door("api-keys")]],
  [
    "read",
    "by copying it into its own slot",
    ({ keys, victims }) => ["COPY", keys.run(victims.paid), own(keys)],
  ],
  ["read", "every command of others", () => ["MONITOR"]],
  ["read", "the names of all keys that others touch", () => ["CLIENT", "TRACKING", "ON", "BCAST"]],
  ["read", "every key's name", () => ["SCAN", "0", "COUNT", "1000"]],
  ["read", "changes of runs", ({ keys, victims }) => ["SUBSCRIBE", keys.runChannel(victims.paid)]],
  ["read", "all channels at once", () => ["PSUBSCRIBE", "*"]],
  ["read", "who else is connected", () => ["CLIENT", "LIST"]],
  ["read", "passwords of others", () => ["ACL", "GETUSER", "relay"]],
  ["delete", "everything", () => ["FLUSHALL"]],
  ["delete", "another's queue", ({ keys }) => ["UNLINK", queue(keys, "escalation", "wait")]],
  ["delete", "a run", ({ keys, victims }) => ["DEL", keys.run(victims.paid)]],
  ["delete", "a run, when its time is over", ({ keys, victims }) => ["PEXPIRE", keys.run(victims.paid), "1"]],
  ["delete", "the audit of the ward", ({ keys }) => ["LTRIM", keys.ward("audit"), "1", "0"]],
  ["delete", "what people did", ({ keys }) => ["LTRIM", keys.people("records"), "1", "0"]],
  ["delete", "counts of runs", ({ keys }) => ["HSET", keys.runs("counts"), "submitted", "0"]],
  ["delete", "by renaming its own key over it", ({ keys }) => ["RENAME", own(keys), keys.people("head")]],
  [
    "delete",
    "by a script that hides which key it writes",
    ({ keys, victims }) => ["EVAL", "return redis.call('del', ARGV[1])", "0", keys.run(victims.paid)],
  ],
  [
    "delete",
    "by a script within a script's pcall",
    ({ keys }) => ["EVAL", "local e = redis.pcall('del', ARGV[1]); return e", "0", keys.people("head")],
  ],
  ["delete", "scripts of all", () => ["SCRIPT", "FLUSH"]],
  [
    "admit",
    "a message into the ward's queue",
    ({ keys }) => ["LPUSH", queue(keys, "ward", "wait"), uuidv7()],
  ],
  [
    "admit",
    "a case of its own making",
    ({ keys }) => ["HSET", keys.ward(`case:${uuidv7()}`), "status", "admitted"],
  ],
  ["admit", "a message into the ward's outbox", ({ keys }) => ["HSET", keys.outbox("ward"), "x", "{}"]],
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
    "decide",
    "that an agent is paused",
    ({ keys }) => ["HSET", keys.people("orders"), "circuit:refunds", "{}"],
  ],
  ["decide", "what is told of what people did", ({ keys }) => ["RPUSH", keys.people("records"), "{}"]],
  [
    "decide",
    "that another's run is cancelled",
    ({ keys, victims }) => ["SET", keys.cancelled("escalation", victims.mail), "1"],
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
  ["teach", "a recipe", ({ keys }) => ["SADD", keys.ward("recipe-ids"), "refunds/*/refunds.request@2"]],
  ["teach", "that recipes have changed", ({ keys }) => ["INCR", keys.ward("recipes-version")]],
  [
    "teach",
    "that another fails all the time",
    ({ keys }) => ["HSET", keys.ward("circuit:refunds"), "state", "open"],
  ],
  [
    "spend",
    "another run's budget",
    ({ keys, victims }) => ["HINCRBYFLOAT", keys.run(victims.mail), "cost", "100"],
  ],
  ["spend", "what the ward may spend", ({ keys }) => ["HINCRBYFLOAT", keys.ward("cost:0"), "usd", "100"]],
  ["spend", "the quota of a client", ({ keys }) => ["SET", keys.door("requests:local"), "100000"]],
  [
    "flood",
    "a channel that others hear",
    ({ keys }) => ["PUBLISH", keys.boardChannel("b"), "x".repeat(100_000)],
  ],
  ["flood", "an append-only file", () => ["BGREWRITEAOF"]],
  ["flood", "the whole server, by a script without end", () => ["EVAL", "while true do end", "0"]],
  ["flood", "the whole server, which waits", () => ["CLIENT", "PAUSE", "5000"]],
  [
    "impersonate",
    "another, by giving itself its rights",
    () => ["ACL", "SETUSER", `agent-${OWN}`, "allkeys"],
  ],
  ["impersonate", "the relay, with its own password", () => ["AUTH", "relay", "guessed"]],
  ["impersonate", "nobody in particular", () => ["AUTH", "default", ""]],
  [
    "impersonate",
    "another agent's process",
    ({ keys }) => ["HSET", keys.registry("agents"), "refunds|x", "{}"],
  ],
  [
    "impersonate",
    "a relay, by ending connections of the real one",
    () => ["CLIENT", "KILL", "USER", "relay"],
  ],
  ["escape", "by a file that Redis writes", () => ["CONFIG", "SET", "dir", "/tmp"]],
  ["escape", "by a function that all could call", () => ["FUNCTION", "LOAD", "#!lua name=x\nreturn 1"]],
  ["escape", "by making Redis follow another server", () => ["REPLICAOF", "127.0.0.1", "1"]],
  [
    "escape",
    "by moving keys to another server",
    ({ keys }) => ["MIGRATE", "127.0.0.1", "1", own(keys), "0", "1"],
  ],
  ["escape", "by ending Redis", () => ["SHUTDOWN", "NOSAVE"]],
];

function queue(keys: Keys, agent: string, list: string): string {
  return `${keys.queuePrefix(agent)}:${agent}:${list}`;
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
  {
    aim: "delete",
    name: "among commands that it may send, in one transaction",
    refused: { by: "redis" },
    attempt: ({ raw, cluster: { keys }, victims }) =>
      raw.multi().hset(own(keys), "x", "1").del(keys.run(victims.paid)).exec(),
  },
];

import { Script } from "../script.ts";
import type { ValuesOf } from "../script-arguments.ts";
import { nothing, number, oneOf, text, variants } from "../script-reply.ts";

/** One event of a run, in the form of `applyToRuns`. `branch`: fan-out branch. */
const EVENT = {
  id: "text",
  // JSON.
  text: "text",
  messageId: "text?",
  rank: "digits",
  state: "text?",
  agent: "text",
  branch: "text?",
  // "failed", "expired", "cancelled" or "undo_failed".
  ending: "text?",
  // JSON.
  result: "text?",
  error: "text?",
  // In micro-USD.
  cost: "number",
  tokens: "number",
  // An agent starts the run.
  starts: "flag",
  // Messages that it creates.
  opens: { list: { messageId: "text", agent: "text", branch: "text?" } },
} as const;

export type EventCall = ValuesOf<typeof EVENT>;

/** Keys and arguments of scripts that apply events to runs. */
export const RUNS = {
  parts: ["redis-time.lua", "message-state.lua", "run-status.lua", "apply-to-runs.lua"],
  // `runIndex`: of all runs.
  keys: ["runCounts", "runIndex"],
  args: {
    runBase: "text",
    channelBase: "text",
    // Key base of tenants and accounts.
    ownerBase: "text",
    // Retention of an ended run.
    retentionMs: "digits",
    logMax: "number",
    runs: { list: { id: "text", events: { list: EVENT } } },
  },
} as const;

export type RunsCall = { readonly [Name in (typeof RUNS.keys)[number]]: string } & ValuesOf<typeof RUNS.args>;

export const applyEvents = new Script("apply-events.lua", {
  ...RUNS,
  joined: true,
  // Record, messages and log of each run.
  touches: true,
  reply: nothing,
});

/** The first message: a job where one Redis holds every slot; elsewhere an outbox entry. */
const FIRST_MESSAGE = {
  messageId: "text",
  queueBase: "text",
  data: "text",
  jobOptions: "text",
  atHead: "flag",
  entryId: "text?",
  entry: "text",
} as const;

/** Reply: `over`: the limit of an account that was reached. */
export const acceptRun = new Script("accept-run.lua", {
  joined: true,
  parts: ["message-state.lua", "add-plain.lua"],
  // `idempotency`: record of the client's idempotency key. `queuedIndex`: of queued runs.
  keys: [
    "run",
    "messages",
    "log",
    "runCounts",
    "runIndex",
    "queuedIndex",
    "pushIndex",
    "outbox",
    "idempotency",
  ],
  args: {
    ...FIRST_MESSAGE,
    runId: "text",
    createdMs: "digits",
    agent: "text",
    eventId: "text",
    event: "text",
    // Digest of the request's body, with an idempotency key.
    digest: "text?",
    idempotencyLifeMs: "digits",
    waitingMax: "number",
    tenant: "text",
    // Key base of tenants and accounts.
    ownerBase: "text",
    // Maximum open runs, waiting runs, and micro-USD per day.
    accounts: {
      list: { name: "text", openMax: "number?", waitingMax: "number?", dayMicroMax: "number?" },
    },
    fields: "pairs",
    // Whether the fields hold a push target.
    pushes: "flag",
  },
  reply: variants({
    accepted: { runId: text },
    repeated: { runId: text },
    conflict: { runId: text },
    full: { waiting: number },
    over: { account: text, limit: oneOf(["open", "waiting", "day"]) },
  }),
});

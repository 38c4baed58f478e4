import { Script } from "../script.ts";
import type { ValuesOf } from "../script-arguments.ts";
import { nothing, number, oneOf, text, variants } from "../script-reply.ts";

/** One event of a run, as `applyToRuns` takes it. `branch`: of a fan-out. */
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
  // An agent begins with the run.
  starts: "flag",
  // The messages it brings into the world.
  opens: { list: { messageId: "text", agent: "text", branch: "text?" } },
} as const;

export type EventCall = ValuesOf<typeof EVENT>;

/** What a script needs that tells runs what happened. */
export const RUNS = {
  parts: ["redis-time.lua", "guest-runs.lua", "message-state.lua", "run-status.lua", "apply-to-runs.lua"],
  // `runIndex`: of all runs.
  keys: ["runCounts", "runIndex"],
  args: {
    runBase: "text",
    channelBase: "text",
    // Of the keys of tenants and accounts.
    ownerBase: "text",
    // Of an ended run.
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

/** What a run's record says of a message that an agent claims to have. */
export const HELD_VERDICTS = [
  "applied",
  "repeated",
  "unknown",
  "elsewhere",
  "strange",
  "settled",
  "taken",
] as const;

export const applyHeld = new Script("apply-held.lua", {
  ...RUNS,
  joined: true,
  keys: [...RUNS.keys, "messages"],
  touches: true,
  args: {
    ...RUNS.args,
    messageId: "text",
    agent: "text",
    // Of the first event.
    eventId: "text",
    // The branch that the message has to be of, null for none; all the same where `isAnyBranch`.
    branch: "text?",
    isAnyBranch: "flag",
    // What it opens.
    opens: { list: { messageId: "text", agent: "text" } },
  },
  reply: oneOf(HELD_VERDICTS),
});

/** The first message: as a job, where one Redis holds every slot; elsewhere as an entry of the outbox. */
const FIRST_MESSAGE = {
  messageId: "text",
  queueBase: "text",
  data: "text",
  jobOptions: "text",
  atHead: "flag",
  entryId: "text?",
  entry: "text",
} as const;

/** Reply: `over`: which limit of which account said no. */
export const acceptRun = new Script("accept-run.lua", {
  joined: true,
  parts: ["message-state.lua", "add-plain.lua"],
  // `idempotency`: the record of the client's key. `queuedIndex`: of queued runs.
  keys: ["run", "messages", "log", "runCounts", "runIndex", "queuedIndex", "outbox", "idempotency"],
  args: {
    ...FIRST_MESSAGE,
    runId: "text",
    createdMs: "digits",
    agent: "text",
    eventId: "text",
    event: "text",
    // Of the request's body, where the client sent an idempotency key.
    digest: "text?",
    idempotencyLifeMs: "digits",
    waitingMax: "number",
    tenant: "text",
    // Of the keys of tenants and accounts.
    ownerBase: "text",
    // Limits of open runs, of waiting ones, and of micro-USD a day.
    accounts: {
      list: { name: "text", openMax: "number?", waitingMax: "number?", dayMicroMax: "number?" },
    },
    fields: "pairs",
  },
  reply: variants({
    accepted: { runId: text },
    repeated: { runId: text },
    conflict: { runId: text },
    full: { waiting: number },
    over: { account: text, limit: oneOf(["open", "waiting", "day"]) },
  }),
});

/** Reply: `foreign`: other bytes were taken under its id; `forgotten`: it was first tried before our memory begins. */
export const plantMessage = new Script("plant-message.lua", {
  ...RUNS,
  joined: true,
  parts: ["add-plain.lua", ...RUNS.parts],
  // `taken`: by which it is remembered. `outbox`: of runs.
  keys: ["taken", ...RUNS.keys, "queuedIndex", "outbox", "run"],
  // The run's messages and log.
  touches: true,
  args: {
    ...RUNS.args,
    ...FIRST_MESSAGE,
    // Of the sealed text.
    digest: "text",
    memoryMs: "number",
    firstSentMs: "number",
    nowMs: "number",
    // The stream that the run's home is told by; null where that is here.
    returnsTo: "text?",
    runId: "text",
    team: "text",
    traceId: "text",
  },
  reply: oneOf(["taken", "known", "foreign", "forgotten"]),
});

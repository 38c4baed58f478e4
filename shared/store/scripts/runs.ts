import { Script } from "../script.ts";
import { kindsOf } from "../script-arguments.ts";
import type { ValuesOf } from "../script-arguments.ts";
import { JOB, JOB_PARTS } from "./queues.ts";
import { flag, listOf, nothing, number, oneOf, orNull, text, variants } from "../script-reply.ts";

/** One event of a run, in the form of `applyToRuns`. `branch`: fan-out branch. */
const EVENT = {
  // `text`, `result`: JSON. `ending`: "failed", "expired", "cancelled", "undo_failed". `cost`: in micro-USD.
  ...kindsOf(
    "id text messageId:text? rank:digits state:text? agent branch:text? ending:text? result:text?",
    "error:text? cost:number tokens:number starts:flag",
  ),
  // Messages that it creates.
  opens: { list: { messageId: "text", agent: "text", branch: "text?" } },
} as const;

export type EventCall = ValuesOf<typeof EVENT>;

/** Keys of scripts that apply events to runs. `runIndex`: of all runs. */
export const RUN_KEYS = ["runCounts", "runIndex"] as const;

/** Arguments of scripts that apply events to runs, beside the events. */
// `ownerBase`: key base of tenants and accounts. `retentionMs`: retention of an ended run.
export const RUN_ARGS = kindsOf("runBase channelBase ownerBase retentionMs:digits logMax:number");

/** Events of one run, in the form of `applyToRuns`. */
const TOLD = { id: "text", events: { list: EVENT } } as const;

export type ToldRun = ValuesOf<typeof TOLD>;

/** Keys and arguments of scripts that apply events to runs. */
export const RUNS = {
  parts: ["redis-time.lua", "message-state.lua", "run-status.lua", "apply-to-runs.lua"],
  keys: RUN_KEYS,
  args: { ...RUN_ARGS, runs: { list: TOLD } },
} as const;

export type RunsCall = { readonly [Name in (typeof RUNS.keys)[number]]: string } & ValuesOf<typeof RUNS.args>;

/** Returns the keys of runs that applying events to them derives itself, so that a slot migration is detected. */
export function touchedRuns({ runs, runBase }: Pick<RunsCall, "runs" | "runBase">): string[] {
  return runs.flatMap(({ id }) => ["", ":messages", ":log"].map((part) => runBase + id + part));
}

export const applyEvents = new Script("apply-events.lua", {
  ...RUNS,
  joined: true,
  // Record, messages and log of each run.
  touches: true,
  reply: nothing,
});

/** Reply: `over`: the limit of an account that was reached. */
export const acceptRun = new Script("accept-run.lua", {
  grouped: true,
  joined: true,
  touches: true,
  parts: [...JOB_PARTS, "message-state.lua"],
  // `idempotency`: record of the client's idempotency key. `queuedIndex`: of queued runs.
  keys: ["run", "messages", "log", "runCounts", "runIndex", "queuedIndex", "webhooks", "idempotency"],
  args: {
    // The first message.
    jobs: { list: JOB },
    // `digest`: of the request's body, with an idempotency key. `ownerBase`: key base of tenants and accounts.
    ...kindsOf(
      "messageId runId createdMs:digits agent eventId event digest:text? idempotencyLifeMs:digits",
      "waitingMax:number tenant ownerBase",
    ),
    // Maximum open runs, waiting runs, and micro-USD per day.
    accounts: {
      list: { name: "text", openMax: "number?", waitingMax: "number?", dayMicroMax: "number?" },
    },
    fields: "pairs",
    // True where the fields hold a webhook.
    hasWebhook: "flag",
  },
  reply: variants({
    accepted: { runId: text },
    repeated: { runId: text },
    conflict: { runId: text },
    full: { waiting: number },
    over: { account: text, limit: oneOf(["open", "waiting", "day"]) },
  }),
});

/** Reply: handoffs made before, if these would exceed the limit; else null. */
export const reserveHandoffs = new Script("reserve-handoffs.lua", {
  keys: ["run", "messages"],
  args: { messageId: "text", handoffs: "number", handoffsMax: "number" },
  reply: orNull(number),
});

/** Reply: ids of what is due, and due again after the lease, so that no other process takes it meanwhile. */
export const takeDue = new Script("take-due.lua", {
  keys: ["due"],
  args: { nowMs: "number", leaseMs: "number", limit: "number" },
  reply: listOf(text),
});

/** Reply: false if the field was changed since it was read, or there is no such hash. */
export const replaceField = new Script("replace-field.lua", {
  keys: ["hash"],
  // `seen`: the text that was read; null: there was none. `sets`: the field's new value, and others.
  args: { field: "text", seen: "text?", sets: "pairs" },
  reply: flag,
});

/** Reply: false if the run has changed since it was read, or is gone. */
export const leaveRun = new Script("leave-run.lua", {
  // `statusIndex`, `ownerIndex`: of runs in its status and of its tenant.
  keys: ["run", "messages", "log", "runIndex", "statusIndex", "ownerIndex"],
  // `marks`: fields that its messages had.
  args: kindsOf("runId endedMs:number marks:number"),
  reply: flag,
});

import { now, sleep, uuidv7 } from "#shared/clock";
import { createFirst } from "#shared/envelope";
import { seal } from "#shared/envelope/seals";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { RunEvent, RunRecord } from "#shared/store/runs";
import { newTraceparent } from "#shared/telemetry";
import { CommandRefusedError } from "../errors.ts";
import type { EvalSystem } from "./system.ts";
import type { Trial } from "./trial.ts";

const POLL_EVERY_MS = 10;
const POLL_EVERY_MS_MAX = 200;
const EVENTS_MAX = 5000;
const COST_LIMIT_DEFAULT = 1;

/** An evaluation has no surgeon, so that a run in the ward does not move any more. */
const RESTING: ReadonlySet<string> = new Set([...ENDED_STATUSES, "in_ward", "quarantined"]);

/** Money left for an evaluation, in USD. At 0 nothing further begins; what is under way is finished. */
export interface Purse {
  left: number;
}

interface TrialsToRun {
  readonly plan: readonly Pick<Trial, "case" | "contender">[];
  /** Runs at a time. */
  readonly concurrency: number;
  readonly purse: Purse;
  /** Longest wait for the end of a run, and its life. */
  readonly withinMs: number;
  readonly signal: AbortSignal;
  /** Called after each trial. */
  readonly onTrial: (trial: Trial) => void;
}

/** Runs all trials, a few at a time. What was done counts, however it ends; `stopped` is why some were left out. */
export async function runTrials(system: EvalSystem, toRun: TrialsToRun) {
  const { plan, purse, withinMs, onTrial } = toRun;
  const givingUp = new AbortController();
  const signal = AbortSignal.any([toRun.signal, givingUp.signal]);
  const trials: Trial[] = [];
  const queue = [...plan];
  const work = async (): Promise<void> => {
    for (;;) {
      const one = purse.left <= 0 || signal.aborted ? undefined : queue.shift();
      if (one === undefined) return;
      const trial = await runTrial(system, { ...one, withinMs, purse, signal });
      purse.left -= trial.cost;
      trials.push(trial);
      onTrial(trial);
    }
  };
  const workers = Array.from({ length: Math.min(toRun.concurrency, plan.length) }, work);
  try {
    await Promise.race([Promise.all(workers), system.failed]);
  } catch (error) {
    // One that failed is no reason to wait for the others.
    givingUp.abort(error);
    await Promise.allSettled(workers);
    if (!toRun.signal.aborted) throw error;
  }
  const why = toRun.signal.aborted ? ("interrupted" as const) : ("budget" as const);
  return { trials, stopped: trials.length === plan.length ? null : why };
}

type TrialToRun = Pick<TrialsToRun, "withinMs" | "purse" | "signal"> & Pick<Trial, "contender" | "case">;

/**
 * Submits one case as a real run and waits until it ends or stops in the ward; before it, one after the other, the
 * tasks that the case names. Each trial has a user of its own, so that conversations of the same name are kept apart.
 */
async function runTrial(system: EvalSystem, toRun: TrialToRun): Promise<Trial> {
  const { contender, case: one } = toRun;
  const userId = uuidv7();
  const records: RunRecord[] = [];
  for (const task of [...one.before, one.input])
    records.push(await waitForRest(system, await submit(system, toRun, { task, userId }), toRun));
  const record = records.pop();
  if (record === undefined) throw new TypeError("a case has an input");
  const events = await system.store.runs.events(record.run_id, { from: 0, limit: EVENTS_MAX });
  const sum = (of: "cost" | "tokens"): number =>
    records.reduce((total, each) => total + each[of], record[of]);
  const calls = events.map(({ detail }) => detail["model_calls"]).filter((each) => typeof each === "number");
  return {
    contender,
    case: one,
    result: record.status === "completed" ? record.result : null,
    failure: failureOf(record, events),
    cost: sum("cost"),
    tokens: sum("tokens"),
    calls: calls.reduce((total, each) => total + each, 0),
    latencyMs: record.ended_ms === null ? null : record.ended_ms - record.created_ms,
  };
}

/** Accepts a task as the gateway does. @throws {CommandRefusedError} */
async function submit(
  { store, keyring }: EvalSystem,
  { contender: { team }, case: { id }, withinMs, purse }: TrialToRun,
  { task, userId }: { readonly task: unknown; readonly userId: string },
): Promise<string> {
  const { entry, options, name } = team;
  const { costLimit = COST_LIMIT_DEFAULT, tokenLimit, hopsMax } = options;
  const envelope = createFirst({
    to: entry.id,
    contract: entry.accepts.id,
    payload: task,
    user: { user_id: userId },
    traceparent: newTraceparent(),
    ttlMs: withinMs,
    // A run spends no more than is left, where the team's own limit is no lower.
    budget: { cost_limit: Math.min(costLimit, purse.left), ...(tokenLimit && { token_limit: tokenLimit }) },
    ...(hopsMax && { hopsMax }),
  });
  const { run_id: runId, trace_id: traceId, message_id: jobId } = envelope.meta;
  const agent = entry.name;
  const { message } = seal({ envelope, queue: agent, key: keyring.signing("gateway", agent) });
  const { kind } = await store.runs.accept({
    runId,
    traceId,
    team: name,
    send: { lane: "fresh", agent, jobId, data: { ...message }, delayMs: 0, priority: "normal" },
    idempotency: null,
    idempotencyLifeMs: store.options.retentionMs,
    waitingMax: Number.MAX_SAFE_INTEGER,
  });
  if (kind === "accepted") return runId;
  throw new CommandRefusedError(`The case ${id} was not accepted: ${kind}.`, "Look at its Redis.");
}

async function waitForRest({ store }: EvalSystem, runId: string, wait: TrialToRun): Promise<RunRecord> {
  const untilMs = now() + wait.withinMs;
  for (let pauseMs = POLL_EVERY_MS; ; pauseMs = Math.min(pauseMs * 1.5, POLL_EVERY_MS_MAX)) {
    const record = await store.runs.get(runId);
    if (RESTING.has(record.status) || now() > untilMs) return record;
    // Messages wait for settings to be corrected; a measurement does not.
    const live = pauseMs === POLL_EVERY_MS_MAX ? await store.registry.live() : [];
    if (live.some((process) => process.waits_for_model?.reason === "configuration")) return record;
    await sleep(pauseMs, wait.signal);
  }
}

/** The class of the last thing that went wrong, for a run that did not complete. */
function failureOf({ status }: RunRecord, events: readonly RunEvent[]): Trial["failure"] {
  if (status === "completed") return null;
  const failures = events.map(({ detail }) => detail).filter((one) => typeof one["class"] === "string");
  // The failure that opened a circuit is more telling than the open circuit.
  const told = failures.findLast(({ code }) => code !== "MODEL_CIRCUIT_OPEN") ?? failures.at(-1);
  if (told === undefined) return { class: RESTING.has(status) ? status : "not_ended", code: "" };
  return { class: String(told["class"]), code: typeof told["code"] === "string" ? told["code"] : "" };
}

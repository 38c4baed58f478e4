import { now, sleep, uuidv7 } from "#shared/clock";
import { createFirst } from "#shared/envelope";
import { seal } from "#shared/envelope/seals";
import type { Store } from "#shared/store";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { RunEvent, RunRecord } from "#shared/store/runs";
import { newTraceparent } from "#shared/telemetry";
import { EvalNotAcceptedError } from "../errors.ts";
import type { Contender } from "./cases/contender.ts";
import type { LabelledCase } from "./cases/labelled-case.ts";
import type { Trial } from "./cases/trial.ts";
import type { EvalSystem } from "./open-system.ts";

const POLL_EVERY_MS = 10;
const POLL_EVERY_MS_MAX = 200;
const EVENTS_MAX = 5000;
const COST_LIMIT_DEFAULT = 1;

/** An evaluation has no surgeon, so that a run in the ward does not move any more. */
const RESTING: ReadonlySet<string> = new Set([...ENDED_STATUSES, "in_ward", "quarantined"]);

export interface TrialToRun {
  readonly contender: Contender;
  readonly case: LabelledCase;
  /** Longest wait for its end, and the run's life. */
  readonly withinMs: number;
  /** USD that this run may spend at most; the team's own limit holds as well. */
  readonly costMax: number;
  readonly signal: AbortSignal;
}

/**
 * Submits one case as a real run and waits until it ends or stops in the ward; before it, one after the other, the
 * tasks that the case names. Each trial has a user of its own, so that conversations of the same name are kept apart.
 *
 * @throws {EvalNotAcceptedError} or the signal's reason.
 */
export async function runTrial(system: EvalSystem, toRun: TrialToRun): Promise<Trial> {
  const userId = uuidv7();
  const run = async (task: unknown): Promise<RunRecord> =>
    waitForRest(system, await submit(system, { ...toRun, task, userId }), toRun);
  const earlier: RunRecord[] = [];
  for (const task of toRun.case.before) earlier.push(await run(task));
  const record = await run(toRun.case.input);
  const { run_id: runId } = record;
  const events = await system.store.runs.events(runId, { from: 0, limit: EVENTS_MAX });
  const { contender } = toRun;
  return {
    contender,
    case: toRun.case,
    run_id: runId,
    status: record.status,
    result: record.status === "completed" ? record.result : null,
    failure: failureOf(record, events),
    cost: earlier.reduce((sum, { cost }) => sum + cost, record.cost),
    tokens: earlier.reduce((sum, { tokens }) => sum + tokens, record.tokens),
    calls: events.reduce((sum, { detail }) => sum + amountOf(detail["model_calls"]), 0),
    latencyMs: record.ended_ms === null ? null : record.ended_ms - record.created_ms,
  };
}

async function submit(
  { store, keyring }: EvalSystem,
  {
    contender,
    withinMs,
    costMax,
    task,
    userId,
    ...toRun
  }: TrialToRun & { readonly task: unknown; readonly userId: string },
) {
  const { team } = contender;
  const { costLimit = COST_LIMIT_DEFAULT, tokenLimit, hopsMax } = team.options;
  const envelope = createFirst({
    to: team.entry.id,
    contract: team.entry.accepts.id,
    payload: task,
    user: { user_id: userId },
    traceparent: newTraceparent(),
    ttlMs: withinMs,
    budget: {
      cost_limit: Math.min(costLimit, costMax),
      ...(tokenLimit === undefined ? {} : { token_limit: tokenLimit }),
    },
    ...(hopsMax === undefined ? {} : { hopsMax }),
  });
  const { run_id, trace_id, message_id } = envelope.meta;
  const queue = team.entry.name;
  const { message } = seal({ envelope, queue, key: keyring.signing("gateway", queue) });
  const accepted = await store.runs.accept({
    runId: run_id,
    traceId: trace_id,
    team: team.name,
    send: {
      lane: "fresh",
      agent: queue,
      jobId: message_id,
      data: { ...message },
      delayMs: 0,
      priority: "normal",
    },
    idempotency: null,
    idempotencyLifeMs: store.options.retentionMs,
    waitingMax: Number.MAX_SAFE_INTEGER,
  });
  if (accepted.kind !== "accepted") throw new EvalNotAcceptedError(toRun.case.id, accepted.kind);
  if (!accepted.isDelivered) {
    await store.outbox.deliver(accepted.entry);
    await store.outbox.forgetConfirmed("runs", accepted.entry);
  }
  return run_id;
}

async function waitForRest({ store }: EvalSystem, runId: string, wait: TrialToRun): Promise<RunRecord> {
  const untilMs = now() + wait.withinMs;
  let pauseMs = POLL_EVERY_MS;
  for (;;) {
    const record = await store.runs.get(runId);
    if (RESTING.has(record.status) || now() > untilMs) return record;
    if (pauseMs === POLL_EVERY_MS_MAX && (await isMisconfigured(store))) return record;
    await sleep(pauseMs, wait.signal);
    pauseMs = Math.min(pauseMs * 1.5, POLL_EVERY_MS_MAX);
  }
}

/** Messages wait for settings to be corrected; a measurement does not. */
async function isMisconfigured(store: Store): Promise<boolean> {
  const live = await store.registry.live();
  return live.some(({ waits_for_model: waits }) => waits?.reason === "configuration");
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

function amountOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

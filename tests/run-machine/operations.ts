import { expect } from "vitest";
import { derivedId, uuidv7 } from "#shared/clock";
import { rankOf } from "#shared/store/runs";
import type { Effects } from "#shared/store/settlement";
import { AGENTS } from "./machine.ts";
import type { Machine } from "./machine.ts";
import { admissionOf, eventOf, sendOf } from "./settlements.ts";
import type { Ending } from "./settlements.ts";
import { CASE_ACTIONS, moveOneCase } from "./ward-work.ts";
import { recordStep, settle, take } from "./work.ts";

/** One thing that happens: which, to whom, and how. Numbers, so that a failing sequence shrinks to a readable one. */
export interface Happening {
  readonly what: keyof typeof OPERATIONS;
  readonly who: number;
  readonly how: number;
  readonly trouble: "none" | "twice" | "dying";
}

type Operation = (machine: Machine, one: Happening) => Promise<void>;

const HOPS_MAX = 6;
const HOUR_MS = 3_600_000;

function pick<Value>(values: readonly Value[], at: number): Value | undefined {
  return values[at % Math.max(1, values.length)];
}

/** A task comes in, often with a key that was used before, sometimes for another body. */
const accept: Operation = async (machine, { who, how }) => {
  const runId = uuidv7();
  const messageId = derivedId(runId, "first");
  const idempotency =
    how % 2 === 0
      ? null
      : { key: `${[...machine.runs.keys()][0] ?? runId}/${who % 2}`, digest: `${how % 3}` };
  const accepted = await machine.store.runs.accept({
    runId,
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    team: "machine",
    send: sendOf(AGENTS[0], messageId, "fresh"),
    idempotency,
    idempotencyLifeMs: HOUR_MS,
    waitingMax: 1_000_000,
  });
  const known = idempotency === null ? undefined : machine.keys.get(idempotency.key);
  if (known !== undefined) {
    const kind = known.digest === idempotency?.digest ? "repeated" : "conflict";
    expect(accepted).toEqual({ kind, runId: known.runId });
    return;
  }
  // Sent twice by the client's own connection, it is still one run, under the id that was asked for.
  expect(accepted).toMatchObject({ kind: "accepted" });
  if (idempotency !== null) machine.keys.set(idempotency.key, { runId, digest: idempotency.digest });
  machine.addRun(runId, messageId);
  machine.noteJobs([sendOf(AGENTS[0], messageId, "fresh")]);
};

/** A surgeon takes in one of the dead messages, in whatever order, and may die before it leaves the inbox. */
const takeIn: Operation = async (machine, { who }) => {
  const texts = await machine.store.redis.lrange(machine.store.keys.inbox(), 0, -1);
  const text = pick(texts, who);
  if (text !== undefined) await machine.takeIn(text);
};

const takeJob: Operation = async (machine, { who, how }) => {
  const job = pick(machine.jobsIn("waiting"), who);
  if (job !== undefined) await take(machine, job, { isAccepting: how % 5 !== 0, isNoticed: how % 2 === 0 });
};

const step: Operation = async (machine, { who, how }) => {
  const worker = pick(machine.workers, who);
  if (worker !== undefined && !worker.mustCancel) await recordStep(machine, worker, `step${how % 2}`);
};

const settleOne: Operation = async (machine, { who, how }) => {
  const worker = pick(machine.workers, who);
  if (worker === undefined) return;
  const isDeep = machine.message(worker.job.messageId).hop >= HOPS_MAX;
  await settle(machine, worker, {
    ending: isDeep ? { kind: "completed" } : endingOf(how),
    cost: how % 7,
    isFinished: how % 4 !== 0,
  });
};

function endingOf(how: number): Ending {
  const kinds = ["completed", "retry", "in_ward", "quarantined", "failed", "expired"] as const;
  const kind = kinds[how % 12];
  if (kind !== undefined) return { kind };
  return { kind: "handed_off", alive: how % 4, dead: how % 5 === 0 ? 1 : 0 };
}

/** The process of a worker dies, or sleeps through its lock: the job waits, the worker may come back as a zombie. */
const crash: Operation = async (machine, { who }) => {
  const job = pick(machine.jobsIn("held"), who);
  if (job !== undefined) await machine.stall(job);
};

const evict: Operation = async (machine, { who }) => {
  const job = pick(machine.jobsIn("finished"), who);
  if (job !== undefined) await machine.evict(job);
};

const moveCase: Operation = async (machine, { who, how }) => {
  const action = CASE_ACTIONS[how % CASE_ACTIONS.length] ?? "discard";
  const old = how % 5 === 0 ? pick(machine.oldCases, who) : undefined;
  const caseId = pick([...machine.cases], who);
  const from = old ?? (caseId === undefined ? null : await machine.store.cases.find(caseId));
  if (from !== null) await moveOneCase(machine, from, action);
};

/** Cancels the cases whose run is being cancelled, as the surgeon's upkeep does. */
const upkeep: Operation = async (machine) => {
  for (const caseId of machine.cases) {
    const from = await machine.store.cases.get(caseId);
    const { run_id = "" } = from.fields;
    const isWaiting = from.status === "admitted" || from.status === "quarantined";
    if (isWaiting && (await machine.store.runs.isCancelled(run_id)))
      await moveOneCase(machine, from, "cancel");
  }
};

const cancel: Operation = async (machine, { who }) => {
  const runId = pick([...machine.runs.keys()], who);
  if (runId === undefined) return;
  const run = machine.run(runId);
  const wasEnded = run.model.isEnded;
  await machine.store.runs.cancel({ runId, by: "a test", markLifeMs: HOUR_MS });
  if (!wasEnded) run.isCancelled = true;
};

/** A cancellation that looked before the run ended and writes after it: an end stays what it is. */
const cancelLate: Operation = async (machine, { who }) => {
  const ended = [...machine.runs].filter(([, run]) => run.model.isEnded);
  const [runId] = pick(ended, who) ?? [];
  if (runId === undefined) return;
  machine.run(runId).isCancelledLate = true;
  const id = derivedId(runId, "cancel_requested");
  const event = { ...eventOf({ runId, messageId: "", agent: "" }, id, "cancel_requested"), message_id: null };
  await machine.store.journal.apply([{ event, end: "cancelled" }]);
};

/** The sweeper buries a job that the engine gave up: its message waits for a person, whatever comes late. */
const sweep: Operation = async (machine, { who, how }) => {
  const job = pick(machine.jobsIn("waiting"), who);
  if (job === undefined) return;
  const { messageId, agent } = job;
  const truth = machine.message(messageId);
  const { runId } = truth;
  const id = derivedId(messageId, "stranded");
  const outcome = JSON.stringify({ kind: "quarantined", by: machine.fresh("outcome") });
  const moves = { state: "quarantined", rank: rankOf.ward(0) } as const;
  const effects: Effects = {
    changes: [{ event: eventOf({ runId, messageId, agent }, id, "quarantined"), moves }],
    sends: [],
    admissions: [admissionOf({ runId, messageId, agent, status: "quarantined" })],
  };
  const isOpen = truth.final === null;
  const decision = machine.store.ledger.decideStranded({ agent, messageId }, { outcome, effects });
  const settled = await machine.store.settlement.settle(decision);
  expect(settled).toBe(isOpen && !machine.trouble.isTwice);
  if (isOpen) {
    truth.final = outcome;
    machine.noteSettled(effects);
  }
  // Dying here, it leaves the job for the next sweep.
  if (how % 3 !== 0) await machine.evict(job);
};

/** All happenings, by name. */
export const OPERATIONS = {
  accept,
  takeIn,
  takeJob,
  step,
  settleOne,
  crash,
  evict,
  moveCase,
  upkeep,
  cancel,
  cancelLate,
  sweep,
} as const satisfies Record<string, Operation>;

export async function happen(machine: Machine, one: Happening): Promise<void> {
  machine.trouble.isTwice = one.trouble === "twice";
  machine.trouble.isDying = one.trouble === "dying";
  try {
    await OPERATIONS[one.what](machine, one);
  } finally {
    machine.trouble.isTwice = false;
    machine.trouble.isDying = false;
  }
}

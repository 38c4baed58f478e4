import { isDeepStrictEqual } from "node:util";
import { branchesOf, gradeOf, mustWait } from "../task.ts";
import type { Task, TaskKind } from "../task.ts";
import type { Evidence, Findings } from "./evidence.ts";
import type { MatchedRun, Submission } from "./match-runs.ts";

const WAY = ["chaos-intake", "chaos-appraise"];

/** Failure class under which a task of this kind must wait in the ward. Kinds that are not here may have several. */
const CLASS_OF: Readonly<Partial<Record<TaskKind, string>>> = {
  kills: "crash_loop",
  throws: "handler_error",
  unhealable: "validation_error",
};

/** Every run has the end that its task must have, on the way that it must go. */
export function checkEnds(
  evidence: Evidence,
  matched: readonly MatchedRun[],
  effectOf: ReadonlyMap<string, string>,
  findings: Findings,
): void {
  const { final, injected } = evidence;
  const destroyed = new Set(injected.flatMap(({ victims }) => victims.map(({ runId }) => runId)));
  const casesOf = Map.groupBy(final.cases, (one) => one.run_id);
  for (const { task, run } of matched) {
    const name = `${task.task} (${task.kind}), run ${run.run_id}`;
    if (run.completions > completionsOf(task))
      findings.add("duplicated", `${name}: completed ${run.completions} times`);
    if (run.status === "queued" || run.status === "running" || run.status === "in_ward") {
      findings.add("stuck", `${name}: is ${run.status} after the drain`);
      continue;
    }
    const isDestroyed = destroyed.has(run.run_id);
    const wrong =
      isDestroyed || mustWait(task.kind)
        ? findNotWaiting(run, casesOf.get(run.run_id) ?? [], isDestroyed ? undefined : CLASS_OF[task.kind])
        : findNotDone({ task, run }, effectOf);
    if (wrong !== null) findings.add("wrong", `${name}: ${wrong}`);
  }
}

/** Returns how many messages of the task's run complete: of a survey each branch's answer, and the join. */
function completionsOf(task: Task): number {
  return task.kind === "survey" ? branchesOf(task).length + 1 : 1;
}

/** Waiting for a person is one run, in quarantine, with one case that is open. */
function findNotWaiting(
  run: MatchedRun["run"],
  cases: Evidence["final"]["cases"],
  failureClass: string | undefined,
): string | null {
  if (run.status !== "quarantined") return `is ${run.status}; it must wait for a person`;
  const open = cases.filter(({ status }) => status === "quarantined");
  if (open.length !== 1) return `waits with ${open.length} open cases, not one`;
  const found = open[0]?.failure_class;
  if (failureClass === undefined || found === failureClass) return null;
  return `waits because of ${found}, not ${failureClass}`;
}

function findNotDone({ task, run }: MatchedRun, effectOf: ReadonlyMap<string, string>): string | null {
  if (run.status !== "completed") return `is ${run.status}; it must complete`;
  if (task.kind === "survey") return findNotCounted(task, run.result, effectOf);
  const effectId = effectOf.get(task.task);
  if (effectId === undefined) return "completed without its effect";
  const wanted = { task: task.task, amount: task.amount, grade: gradeOf(task.amount), effect_id: effectId };
  const found = run.result;
  const isAsWanted = Object.entries(wanted).every(
    ([name, value]) =>
      typeof found === "object" &&
      found !== null &&
      Object.entries(found).some(([n, v]) => n === name && v === value),
  );
  if (!isAsWanted) return `has another result: ${JSON.stringify(found)}`;
  return run.handedOn.join() === WAY.join() ? null : `went by ${run.handedOn.join(", ")}`;
}

/** A survey's result names every branch once, with its effect, in the join's answers and on the board alike. */
function findNotCounted(task: Task, result: unknown, effectOf: ReadonlyMap<string, string>): string | null {
  const branches = branchesOf(task);
  const answers = branches.map((branch) => ({
    task: branch.task,
    grade: gradeOf(branch.amount),
    effect_id: effectOf.get(branch.task) ?? null,
  }));
  const wanted = { task: task.task, answers, written: branches.map((branch) => branch.task) };
  return isDeepStrictEqual(result, wanted) ? null : `has another result: ${JSON.stringify(result)}`;
}

/** A zombie that wakes up may still send the one call that it was about to make, within this time, in ms. */
const ZOMBIE_CALL_MS = 2000;

/** Facts that the outside world saw. */
interface OutsideSeen {
  /** Effect of each task, and of each branch of a survey. */
  readonly effectOf: ReadonlyMap<string, string>;
  readonly repeatedEffectCalls: number;
  readonly modelCalls: number;
  /** Calls that were being answered when an agents' process was killed. */
  readonly inFlightAtKill: number;
}

/** Checks that every key has one effect, every task one key, and that no model call is unasked or late. */
export function checkOutside(
  evidence: Evidence,
  submissions: readonly Submission[],
  findings: Findings,
): OutsideSeen {
  const known = new Map(
    submissions.flatMap(({ task }) =>
      // Of a survey nothing is asked or done outside but by its branches.
      task.kind === "survey"
        ? branchesOf(task).map((branch) => [branch.task, task] as const)
        : [[task.task, task] as const],
    ),
  );
  const effectOf = new Map<string, string>();
  const effectAtMs = new Map<string, number>();
  const wakings = wakingsOf(evidence);
  let repeatedEffectCalls = 0;
  let modelCalls = 0;
  for (const line of evidence.outside) {
    if (line.type === "repair" || line.type === "answered") continue;
    const task = known.get(line.task);
    const mayCome = task !== undefined && (!mustWait(task.kind) || task.kind === "babble");
    if (line.type === "model") {
      modelCalls += 1;
      if (!mayCome) findings.add("unexpected", `${line.task}: the model was asked for it`);
      const isZombie = wakings.some((at) => line.at_ms >= at && line.at_ms <= at + ZOMBIE_CALL_MS);
      if (effectAtMs.has(line.task) && !isZombie)
        findings.add("repeated_model_calls", `${line.task}: call ${line.call} came after the effect`);
    } else if (line.is_repeat) {
      repeatedEffectCalls += 1;
    } else {
      if (task === undefined || mustWait(task.kind))
        findings.add("unexpected", `${line.task}: had an effect that it was never to have`);
      if (effectOf.has(line.task)) findings.add("duplicated", `${line.task}: had more than one effect`);
      effectOf.set(line.task, line.effect_id);
      effectAtMs.set(line.task, line.at_ms);
    }
  }
  return { effectOf, repeatedEffectCalls, modelCalls, inFlightAtKill: countInFlight(evidence) };
}

/** Returns the times, in ms, at which workers woke up that had stood still, or that Redis had gone on without. */
function wakingsOf({ injected }: Evidence): number[] {
  const kinds = ["pause", "block", "link", "clock_ahead", "clock_back"];
  return injected
    .filter(({ fault }) => fault.target.startsWith("agents-") && kinds.includes(fault.kind))
    .map(({ endedAtMs }) => endedAtMs);
}

function countInFlight({ outside, injected }: Evidence): number {
  const kills = injected
    .filter(
      ({ fault, struck }) => struck && fault.target.startsWith("agents-") && /kill|upgrade/.test(fault.kind),
    )
    .map(({ endedAtMs }) => endedAtMs);
  const begun = new Map<string, number>();
  let inFlight = 0;
  for (const line of outside) {
    if (line.type === "model") begun.set(`${line.task}/${line.call}`, line.at_ms);
    if (line.type !== "answered") continue;
    const from = begun.get(`${line.task}/${line.call}`) ?? line.at_ms;
    // The asking process is gone a moment before its connection is.
    if (kills.some((at) => from <= at && at <= line.at_ms + 50)) inFlight += 1;
  }
  return inFlight;
}

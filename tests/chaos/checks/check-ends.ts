import { isDeepStrictEqual } from "node:util";
import { branchesOf, gradeOf, mustWait } from "../task.ts";
import type { Task, TaskKind } from "../task.ts";
import type { Evidence, Findings } from "./evidence.ts";
import type { MatchedRun } from "./match-runs.ts";

const WAY = ["chaos-intake", "chaos-appraise"];

/** Why a task of this kind waits, as the ward must say; what is not here may be said in more than one way. */
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

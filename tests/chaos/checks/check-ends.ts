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
  const destroyed = Map.groupBy(
    injected.flatMap(({ victims }) => victims),
    ({ runId }) => runId,
  );
  const casesOf = Map.groupBy(final.cases, (one) => one.run_id);
  for (const { task, run } of matched) {
    const name = `${task.task} (${task.kind}), run ${run.run_id}`;
    if (run.completions > 1) findings.add("duplicated", `${name}: completed ${run.completions} times`);
    if (run.status === "queued" || run.status === "running" || run.status === "in_ward") {
      findings.add("stuck", `${name}: is ${run.status} after the drain`);
      continue;
    }
    const victims = destroyed.get(run.run_id)?.length ?? 0;
    const wrong =
      victims > 0 || mustWait(task.kind)
        ? findNotWaiting(run, casesOf.get(run.run_id) ?? [], {
            // Several branches of a survey may be destroyed, and each waits by itself.
            casesMax: task.kind === "survey" ? victims : 1,
            failureClass: victims > 0 ? undefined : CLASS_OF[task.kind],
          })
        : findNotDone({ task, run }, effectOf);
    if (wrong !== null) findings.add("wrong", `${name}: ${wrong}`);
  }
}

/** Waiting for a person is one run, in quarantine, with a case that is open: one, or as many as were destroyed. */
function findNotWaiting(
  run: MatchedRun["run"],
  cases: Evidence["final"]["cases"],
  wanted: { readonly casesMax: number; readonly failureClass: string | undefined },
): string | null {
  if (run.status !== "quarantined") return `is ${run.status}; it must wait for a person`;
  const open = cases.filter(({ status }) => status === "quarantined");
  if (open.length === 0 || open.length > wanted.casesMax)
    return `waits with ${open.length} open cases, not one to ${wanted.casesMax}`;
  const found = open[0]?.failure_class;
  if (wanted.failureClass === undefined || found === wanted.failureClass) return null;
  return `waits because of ${found}, not ${wanted.failureClass}`;
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

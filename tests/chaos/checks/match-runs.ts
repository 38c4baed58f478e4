import { createTask, indexOf } from "../task.ts";
import type { Task } from "../task.ts";
import type { Evidence, Findings } from "./evidence.ts";
import type { FinalRun } from "./observe.ts";
import type { Logged, SubmitLine } from "../logs.ts";

export interface MatchedRun {
  readonly task: Task;
  readonly run: FinalRun;
}

/** Finds the task of every run; names stray, doubled and lost ones. @returns them, and runs of unknown submissions. */
export function matchRuns(
  { final }: Evidence,
  submissions: readonly Submission[],
  findings: Findings,
): { matched: MatchedRun[]; recovered: number } {
  const byRun = new Map(
    submissions.flatMap(({ task, runIds }) => [...runIds].map((id) => [id, task] as const)),
  );
  const unanswered = new Set(
    submissions
      .filter(({ runIds, wasUnknown }) => runIds.size === 0 && wasUnknown)
      .map(({ task }) => task.task),
  );
  const known = new Map(submissions.map(({ task }) => [task.task, task] as const));
  const matched: MatchedRun[] = [];
  const nameless: string[] = [];
  let recovered = 0;
  for (const run of final.runs) {
    const about = run.result === null ? null : taskIn(run.result);
    const task = byRun.get(run.run_id) ?? (about === null ? undefined : known.get(about));
    if (task !== undefined) matched.push({ task, run });
    if (byRun.has(run.run_id)) continue;
    if (about === null || unanswered.has(about)) recovered += 1;
    if (about === null) nameless.push(run.run_id);
    else if (task === undefined) findings.add("unexpected", `${run.run_id}: nobody submitted a task for it`);
  }
  const named = new Set(matched.map(({ task }) => task.task));
  // A run that waits says nothing of its task: of those, there may be as many as there are unanswered tasks.
  const open = [...unanswered].filter((name) => !named.has(name)).length;
  for (const id of nameless.slice(open)) findings.add("unexpected", `${id}: nobody submitted it`);
  for (const [name, own] of Map.groupBy(matched, ({ task }) => task.task)) {
    if (own.length > 1) findings.add("duplicated", `${name}: has ${own.length} runs`);
  }
  findLost(submissions, matched, findings);
  return { matched, recovered };
}

function findLost(
  submissions: readonly Submission[],
  matched: readonly MatchedRun[],
  findings: Findings,
): void {
  const there = new Set(matched.map(({ run }) => run.run_id));
  for (const { task, runIds } of submissions) {
    for (const id of runIds) {
      if (!there.has(id)) findings.add("lost", `${task.task}: its acknowledged run ${id} is gone`);
    }
  }
}

function taskIn(result: unknown): string | null {
  if (typeof result !== "object" || result === null || !("task" in result)) return null;
  return typeof result.task === "string" ? result.task : null;
}

/** Knowledge of the client about one task. */
export interface Submission {
  readonly task: Task;
  readonly runIds: ReadonlySet<string>;
  readonly wasUnknown: boolean;
  readonly wasRefused: boolean;
}

export function readSubmissions({ source, submitted }: Evidence): Submission[] {
  const lines = Map.groupBy(submitted, (line: Logged<SubmitLine>) => line.task);
  return [...lines].map(([name, own]) => ({
    task: createTask(source, indexOf(name)),
    runIds: new Set(own.flatMap((line) => (line.type === "acked" ? [line.run_id] : []))),
    wasUnknown: own.some((line) => line.type === "unknown"),
    wasRefused: own.some((line) => line.type === "refused"),
  }));
}

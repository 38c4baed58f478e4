import type { Logged } from "./durable-log.ts";
import type { Injected } from "./inject-faults.ts";
import type { OutsideLine } from "./outside-line.ts";
import type { FinalRun, FinalState } from "./read-final-state.ts";
import type { SubmitLine } from "./submit-line.ts";
import { createTask, gradeOf, mustWait } from "./task.ts";
import type { Task } from "./task.ts";

/** What the checker reads: logs from outside and the final state. What processes under test say does not count. */
export interface Evidence {
  readonly seed: number;
  readonly submitted: readonly Logged<SubmitLine>[];
  readonly outside: readonly Logged<OutsideLine>[];
  readonly final: FinalState;
  readonly injected: readonly Injected[];
  /** Writes of workers that had lost their lock, refused at the fence. */
  readonly fencedOff: number;
  /** Log lines of services that hold a canary. */
  readonly leaks: number;
  /** From the last fault to the last run's end; null when that never came. */
  readonly drainMs: number | null;
}

/** Names of Jepsen's `total-queue`, and what an agent chain adds to them. All but the first rows must be 0. */
export interface Figures {
  readonly faults: number;
  readonly acked: number;
  /** Runs of submissions whose outcome nobody was told. */
  readonly recovered: number;
  readonly completed: number;
  readonly waiting: number;
  readonly fenced_off: number;
  /** Effects asked for again under the same key, which the outside world answers without acting again. */
  readonly repeated_effect_calls: number;
  readonly drain_ms: number | null;
  /** Acknowledged and gone. */
  readonly lost: number;
  /** Acknowledged, there, and neither at an end nor with a person. */
  readonly stuck: number;
  /** Tasks with two runs, two ends, or two effects. */
  readonly duplicated: number;
  /** Runs, or effects, of nothing that was submitted. */
  readonly unexpected: number;
  /** Runs with another end, way or result than their task must have. */
  readonly wrong: number;
  /** Good submissions that were refused. */
  readonly refused: number;
  /** Model calls for a task whose answer had been recorded, as its effect proves. */
  readonly repeated_model_calls: number;
  readonly leaks: number;
  /** 1 when the two sides of the conservation equation differ. */
  readonly unbalanced: number;
}

const MUST_BE_ZERO = [
  "lost",
  "stuck",
  "duplicated",
  "unexpected",
  "wrong",
  "refused",
  "repeated_model_calls",
  "leaks",
  "unbalanced",
] as const satisfies readonly (keyof Figures)[];

export interface Verdict {
  readonly figures: Figures;
  /** One line for each thing that must not be. Empty: the run is good. */
  readonly problems: readonly string[];
}

/** A zombie that wakes up may still send the one call that it was about to make, within this time, in ms. */
const ZOMBIE_CALL_MS = 2000;
const WAY = ["chaos-intake", "chaos-appraise"];

/** Judges a run of the suite by what was seen from outside. Pure. */
export function checkRun(evidence: Evidence): Verdict {
  const problems: string[] = [];
  const submissions = readSubmissions(evidence);
  const runs = matchRuns(evidence, submissions, problems);
  const effects = checkEffects(evidence, submissions, problems);
  const ends = checkEnds(runs.matched, effects.idOf, problems);
  const { final } = evidence;
  const lost = checkLost(submissions, runs.matched, problems) + final.audit.lost.length;
  for (const one of final.audit.lost)
    problems.push(`${one.run_id}: nobody holds its message ${one.message_id}`);
  const figures: Figures = {
    faults: evidence.injected.filter(({ struck }) => struck).length,
    acked: submissions.filter(({ runIds }) => runIds.size > 0).length,
    recovered: runs.recovered,
    completed: final.counts.completed,
    waiting: final.counts.quarantined,
    fenced_off: evidence.fencedOff,
    repeated_effect_calls: effects.repeatedCalls,
    drain_ms: evidence.drainMs === null ? null : Math.round(evidence.drainMs),
    lost,
    stuck: ends.stuck + final.casesUnderway,
    duplicated: runs.duplicated + effects.duplicated + ends.duplicated,
    unexpected: runs.unexpected + effects.unexpected,
    wrong: ends.wrong,
    refused: submissions.filter(({ wasRefused }) => wasRefused).length,
    repeated_model_calls: countRepeatedModelCalls(evidence, problems),
    leaks: evidence.leaks,
    unbalanced: isBalanced(final) ? 0 : 1,
  };
  for (const name of MUST_BE_ZERO)
    if (figures[name] !== 0) problems.push(`${name} is ${figures[name]}, not 0`);
  if (figures.acked === 0) problems.push("no task was acknowledged");
  if (figures.faults === 0) problems.push("no fault struck: nothing was tested");
  if (figures.drain_ms === null) problems.push("the work was not drained within its bound");
  return { figures, problems };
}

interface Submission {
  readonly task: Task;
  readonly runIds: ReadonlySet<string>;
  readonly wasUnknown: boolean;
  readonly wasRefused: boolean;
}

function readSubmissions({ seed, submitted }: Evidence): Submission[] {
  const lines = new Map<string, Logged<SubmitLine>[]>();
  for (const line of submitted) lines.set(line.task, [...(lines.get(line.task) ?? []), line]);
  return [...lines].map(([name, own]) => ({
    task: createTask(seed, Number(name.slice(2))),
    runIds: new Set(own.flatMap((line) => (line.type === "acked" ? [line.run_id] : []))),
    wasUnknown: own.some((line) => line.type === "unknown"),
    wasRefused: own.some((line) => line.type === "refused"),
  }));
}

interface MatchedRun {
  readonly task: Task;
  readonly run: FinalRun;
}

/** Finds the task of every run: by the acknowledgement, or else by what the run is seen to be about. */
function matchRuns({ final }: Evidence, submissions: readonly Submission[], problems: string[]) {
  const byRun = new Map(
    submissions.flatMap(({ task, runIds }) => [...runIds].map((id) => [id, task] as const)),
  );
  const unanswered = new Map(
    submissions
      .filter(({ runIds, wasUnknown }) => runIds.size === 0 && wasUnknown)
      .map(({ task }) => [task.task, task] as const),
  );
  const known = new Map(submissions.map(({ task }) => [task.task, task] as const));
  const matched: MatchedRun[] = [];
  let recovered = 0;
  // A run that waits says nothing of its task: of those, there may be as many as there are unanswered tasks.
  let nameless = 0;
  let unexpected = 0;
  for (const run of final.runs) {
    const about = run.result === null ? null : taskIn(run.result);
    const task = byRun.get(run.run_id) ?? (about === null ? undefined : known.get(about));
    if (task !== undefined) matched.push({ task, run });
    if (byRun.has(run.run_id)) continue;
    if (about === null || unanswered.has(about)) recovered += 1;
    if (about === null) nameless += 1;
    else if (task === undefined) {
      unexpected += 1;
      problems.push(`${run.run_id}: nobody submitted a task for it`);
    }
  }
  const named = new Set(matched.map(({ task }) => task.task));
  const open = [...unanswered.keys()].filter((name) => !named.has(name)).length;
  if (nameless > open) unexpected += nameless - open;
  const counted = new Map<string, number>();
  for (const { task } of matched) counted.set(task.task, (counted.get(task.task) ?? 0) + 1);
  const twice = [...counted].filter(([, count]) => count > 1);
  for (const [name] of twice) problems.push(`${name}: has more than one run`);
  return { matched, recovered, unexpected, duplicated: twice.length };
}

function taskIn(result: unknown): string | null {
  if (typeof result !== "object" || result === null || !("task" in result)) return null;
  return typeof result.task === "string" ? result.task : null;
}

function checkLost(
  submissions: readonly Submission[],
  matched: readonly MatchedRun[],
  problems: string[],
): number {
  const there = new Set(matched.map(({ run }) => run.run_id));
  const gone = submissions.flatMap(({ task, runIds }) =>
    [...runIds]
      .filter((id) => !there.has(id))
      .map((id) => `${task.task}: its acknowledged run ${id} is gone`),
  );
  problems.push(...gone);
  return gone.length;
}

/** An effect for each key, a key for each task, and none for what never got so far. */
function checkEffects({ outside }: Evidence, submissions: readonly Submission[], problems: string[]) {
  const known = new Map(submissions.map(({ task }) => [task.task, task]));
  const idOf = new Map<string, string>();
  let duplicated = 0;
  let unexpected = 0;
  let repeatedCalls = 0;
  for (const line of outside) {
    if (line.type !== "effect") continue;
    if (line.is_repeat) {
      repeatedCalls += 1;
      continue;
    }
    const task = known.get(line.task);
    if (task === undefined || mustWait(task.kind)) {
      unexpected += 1;
      problems.push(`${line.task}: had an effect that it was never to have`);
    }
    if (idOf.has(line.task)) {
      duplicated += 1;
      problems.push(`${line.task}: had more than one effect`);
    }
    idOf.set(line.task, line.effect_id);
  }
  return { idOf, duplicated, unexpected, repeatedCalls };
}

function checkEnds(
  matched: readonly MatchedRun[],
  effectOf: ReadonlyMap<string, string>,
  problems: string[],
) {
  const tally = { stuck: 0, wrong: 0, duplicated: 0 };
  for (const { task, run } of matched) {
    const isUnderway = run.status === "queued" || run.status === "running" || run.status === "in_ward";
    const fault = isUnderway ? null : findWrong({ task, run }, effectOf.get(task.task));
    if (isUnderway) {
      tally.stuck += 1;
      problems.push(`${task.task} (${task.kind}): is ${run.status} after the drain`);
    } else if (fault !== null) {
      tally.wrong += 1;
      problems.push(`${task.task} (${task.kind}), run ${run.run_id}: ${fault}`);
    }
    if (run.completions > 1) {
      tally.duplicated += 1;
      problems.push(`${task.task}: completed ${run.completions} times`);
    }
  }
  return tally;
}

function findWrong({ task, run }: MatchedRun, effectId: string | undefined): string | null {
  if (mustWait(task.kind)) {
    return run.status === "quarantined" ? null : `is ${run.status}; it must wait for a person`;
  }
  if (run.status !== "completed") return `is ${run.status}; it must complete`;
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

/** The effect follows the recorded answer: a call after it, by anybody but a zombie that just woke, is a repeat. */
function countRepeatedModelCalls({ outside, injected }: Evidence, problems: string[]): number {
  const wakings = injected
    .filter(({ fault }) => fault.target.startsWith("agents-") && fault.kind !== "kill")
    .map(({ endedAtMs }) => endedAtMs);
  const effectAtMs = new Map<string, number>();
  let repeated = 0;
  for (const line of outside) {
    if (line.type === "effect" && !effectAtMs.has(line.task)) effectAtMs.set(line.task, line.at_ms);
    if (line.type !== "model" || !effectAtMs.has(line.task)) continue;
    const isZombie = wakings.some((at) => line.at_ms >= at && line.at_ms <= at + ZOMBIE_CALL_MS);
    if (isZombie) continue;
    repeated += 1;
    problems.push(`${line.task}: the model was asked again (call ${line.call}) after the effect`);
  }
  return repeated;
}

function isBalanced({ counts, runs }: FinalState): boolean {
  const { submitted, ...rest } = counts;
  const told = Object.values<number>(rest).reduce((sum, count) => sum + count, 0);
  return submitted === told && submitted === runs.length;
}

import { checkEnds, checkOutside } from "./check-ends.ts";
import { Findings } from "./evidence.ts";
import type { Evidence } from "./evidence.ts";
import { matchRuns, readSubmissions } from "./match-runs.ts";
import type { FinalState } from "./observe.ts";

/** Figures that must be 0. Names of Jepsen's `total-queue`, and what an agent chain adds to them. */
const MUST_BE_ZERO = [
  /** Acknowledged and gone, or held by nobody. */
  "lost",
  /** Acknowledged, there, and neither at an end nor with a person. */
  "stuck",
  /** Tasks with two runs, two ends, or two effects. */
  "duplicated",
  /** Runs, effects or model calls of nothing that was submitted, or that must not have come so far. */
  "unexpected",
  /** Runs with another end, way, result or case than their task must have. */
  "wrong",
  /** Good submissions that were refused. */
  "refused",
  /** Model calls for a task whose answer had been recorded, as its effect proves. */
  "repeated_model_calls",
  /** Outcomes, steps or counters of the ledger that changed after they were written, or fell. */
  "regressed",
  /** Forged messages that are not in quarantine exactly once. */
  "uncaught",
  /** Forbidden acts of processes under test. */
  "misdeeds",
  /** Cases whose audit does not say who. */
  "anonymous",
  /** Cases that wait for a person only because something outside was away. */
  "transient",
  /** Memory, streams or starts beyond their bounds. */
  "unbounded",
  /** Log lines with a planted secret. */
  "leaks",
  /** Looks at which the two sides of the conservation equation differed. */
  "unbalanced",
] as const;

/** Figures of records that a failover may take back in spite of replicas: neither confirmed nor told to anybody. */
const TAKEN_BACK = ["regressed"];

const MIB = 1024 * 1024;

/** Failures that pass by themselves: no message's fault, and nothing for a person. */
const TRANSIENT_CLASSES: readonly string[] = ["transient", "timeout", "rate_limited"];

/** I7: what must not grow, however long a run is and whatever strikes. */
const BOUNDS = {
  redisBytesMax: 512 * MIB,
  /** Twice what the stream is cut to: Redis cuts roughly. */
  eventStreamMax: 2000,
  processBytesMax: 512 * MIB,
} as const;

export interface Figures extends Readonly<Record<(typeof MUST_BE_ZERO)[number], number>> {
  readonly runs: number;
  readonly acked: number;
  /** Runs of submissions whose outcome nobody was told. */
  readonly recovered: number;
  readonly completed: number;
  readonly waiting: number;
  readonly faults: number;
  readonly fenced_off: number;
  readonly forged: number;
  readonly destroyed: number;
  readonly model_calls: number;
  /** Model calls that were under way when an agents' process was killed: they alone may be paid for twice. */
  readonly model_calls_in_flight_at_kill: number;
  /** Effects asked for again under the same key, which the outside world answers without acting again. */
  readonly repeated_effect_calls: number;
  readonly looks: number;
  readonly drain_ms: number | null;
  readonly drain_bound_ms: number;
  /** Records that a failover took where it may: measured, and told apart from figures that must be 0. */
  readonly [taken: `failover_${string}`]: number;
}

export interface Verdict {
  readonly figures: Figures;
  /** One line for each thing that must not be. Empty: the run is good. */
  readonly problems: readonly string[];
}

/** Judges a run of the suite by what was seen from outside. Pure. */
export function checkRun(evidence: Evidence): Verdict {
  const { final, injected, observed } = evidence;
  const findings = new Findings();
  const submissions = readSubmissions(evidence);
  const { matched, recovered } = matchRuns(evidence, submissions, findings);
  const outside = checkOutside(evidence, submissions, findings);
  checkEnds(evidence, matched, outside.effectOf, findings);
  checkState(evidence, findings);
  for (const { task, wasRefused } of submissions) {
    if (wasRefused) findings.add("refused", `${task.task} (${task.kind}): was refused`);
  }
  const excused = evidence.mayTakeBack ? TAKEN_BACK : [];
  const victims = injected.flatMap((one) => one.victims);
  const figures: Figures = {
    runs: final.runs.length,
    acked: submissions.filter(({ runIds }) => runIds.size > 0).length,
    recovered,
    completed: final.counts.completed,
    waiting: final.counts.quarantined,
    faults: injected.filter(({ struck }) => struck).length,
    fenced_off: evidence.fencedOff,
    forged: victims.filter(({ runId }) => runId === null).length,
    destroyed: victims.filter(({ runId }) => runId !== null).length,
    model_calls: outside.modelCalls,
    model_calls_in_flight_at_kill: outside.inFlightAtKill,
    repeated_effect_calls: outside.repeatedEffectCalls,
    looks: observed.samples,
    drain_ms: evidence.drainMs === null ? null : Math.round(evidence.drainMs),
    drain_bound_ms: evidence.drainBoundMs,
    // The list names every figure of this type.
    ...(Object.fromEntries(
      MUST_BE_ZERO.map((name) => [name, excused.includes(name) ? 0 : findings.count(name)]),
    ) as Record<(typeof MUST_BE_ZERO)[number], number>),
    ...Object.fromEntries(excused.map((name) => [`failover_${name}`, findings.count(name)])),
  };
  const problems = findings.lines(excused);
  if (figures.acked === 0) problems.push("no task was acknowledged");
  if (figures.faults === 0) problems.push("no fault struck: nothing was tested");
  if (figures.looks === 0) problems.push("nobody looked at the state");
  if (figures.drain_ms === null)
    problems.push(`the work was not drained within ${figures.drain_bound_ms} ms`);
  return { figures, problems };
}

/** Checks the state at the end, and the observations before. */
function checkState({ final, injected, observed, leaks }: Evidence, findings: Findings): void {
  for (const { run_id, message_id } of final.audit.lost)
    findings.add("lost", `${run_id}: nobody holds its message ${message_id}`);
  for (const one of final.cases) {
    if (one.status === "admitted" || one.status === "in_surgery")
      findings.add("stuck", `the case of message ${one.message_id} is ${one.status} after the drain`);
    if (one.status === "quarantined" && TRANSIENT_CLASSES.includes(one.failure_class))
      findings.add(
        "transient",
        `the case of message ${one.message_id} waits because of ${one.failure_class}`,
      );
    if (one.anonymous > 0)
      findings.add("anonymous", `the case of message ${one.message_id} does not say who`);
  }
  for (const { fault, misdeed, victims } of injected) {
    if (misdeed !== null) findings.add("misdeeds", misdeed);
    for (const { messageId, runId } of victims) {
      const own = final.cases.filter(({ message_id }) => message_id === messageId);
      const isCaught = own.length === 1 && own[0]?.failure_class === "untrusted";
      if (runId === null && !isCaught)
        findings.add("uncaught", `forged message ${messageId} (${fault.target}) has ${own.length} cases`);
    }
  }
  for (const text of observed.regressions) findings.add("regressed", text);
  for (const text of observed.unbalanced) findings.add("unbalanced", `seen on the way: ${text}`);
  for (const name of ["redisBytesMax", "eventStreamMax", "processBytesMax"] as const) {
    if (observed[name] > BOUNDS[name]) findings.add("unbounded", `${name} was ${observed[name]}`);
  }
  if (leaks > 0) findings.add("leaks", `${leaks} log lines hold a planted secret`);
  if (!isBalanced(final)) findings.add("unbalanced", JSON.stringify(final.counts));
}

function isBalanced({ counts, runs }: FinalState): boolean {
  const { submitted, ...rest } = counts;
  const told = Object.values<number>(rest).reduce((sum, count) => sum + count, 0);
  return submitted === told && submitted === runs.length;
}

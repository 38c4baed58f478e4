import { describe, expect, it } from "vitest";
import { checkRun } from "./check-run.ts";
import type { Evidence, Figures } from "./check-run.ts";
import type { FinalRun } from "./read-final-state.ts";
import { createTask, gradeOf, mustWait } from "./task.ts";

const SEED = 3;
const TASKS = Array.from({ length: 40 }, (_, index) => createTask(SEED, index));
const plain = TASKS.filter(({ kind }) => kind === "plain");
const [first, second] = [plain[0] ?? TASKS[0], plain[1] ?? TASKS[1]];
const waiting = TASKS.find(({ kind }) => mustWait(kind));

function effectIdOf(task: string): string {
  return `e-${task}`;
}

function runOf(index: number): FinalRun {
  const { task, kind, amount } = createTask(SEED, index);
  const isWaiting = mustWait(kind);
  return {
    run_id: `r-${index}`,
    status: isWaiting ? "quarantined" : "completed",
    result: isWaiting ? null : { task, amount, grade: gradeOf(amount), effect_id: effectIdOf(task) },
    handedOn: ["chaos-intake", "chaos-appraise"],
    completions: isWaiting ? 0 : 1,
  };
}

/** The evidence of a run without a fault in it, but for one that struck. */
function goodEvidence(): Evidence {
  const runs = TASKS.map((_, index) => runOf(index));
  const completed = runs.filter(({ status }) => status === "completed").length;
  return {
    seed: SEED,
    submitted: TASKS.flatMap(({ task, kind }, index) => [
      { at_ms: 0, type: "began" as const, task, kind },
      { at_ms: 1, type: "acked" as const, task, run_id: `r-${index}` },
    ]),
    outside: TASKS.filter(({ kind }) => !mustWait(kind)).flatMap(({ task }) => [
      { at_ms: 2, type: "model" as const, task, call: 1, fault: null },
      {
        at_ms: 3,
        type: "effect" as const,
        task,
        key: `k-${task}`,
        effect_id: effectIdOf(task),
        is_repeat: false,
      },
    ]),
    final: {
      runs,
      counts: {
        submitted: runs.length,
        queued: 0,
        running: 0,
        in_ward: 0,
        quarantined: runs.length - completed,
        completed,
        failed: 0,
        cancelled: 0,
        expired: 0,
      },
      audit: { runs: 0, inQueues: 0, inWard: 0, lost: [], at_ms: 0 },
      casesUnderway: 0,
    },
    injected: [
      {
        fault: { kind: "kill", target: "agents-1", atMs: 0, durationMs: 0 },
        struck: true,
        beganAtMs: 0,
        endedAtMs: 0,
      },
    ],
    fencedOff: 1,
    leaks: 0,
    drainMs: 10,
  };
}

function indexOf(task: string | undefined): number {
  return Number(task?.slice(2));
}

/** The good evidence with one run changed. */
function withRun(task: string | undefined, change: Partial<FinalRun>): Evidence {
  const good = goodEvidence();
  const runs = good.final.runs.map((run, at) => (at === indexOf(task) ? { ...run, ...change } : run));
  return { ...good, final: { ...good.final, runs } };
}

function withoutRun(task: string | undefined): Evidence {
  const good = goodEvidence();
  const runs = good.final.runs.filter((_, at) => at !== indexOf(task));
  const counts = { ...good.final.counts, submitted: runs.length, completed: good.final.counts.completed - 1 };
  return { ...good, final: { ...good.final, runs, counts } };
}

const asUnknown = (evidence: Evidence, task: string | undefined): Evidence => ({
  ...evidence,
  submitted: evidence.submitted.map((line) =>
    line.task === task && line.type === "acked" ? { at_ms: 1, type: "unknown", task: line.task } : line,
  ),
});

const effect = { at_ms: 9, type: "effect" as const, key: "k", effect_id: "e-9", is_repeat: false };

const BROKEN: readonly (readonly [string, keyof Figures, () => Evidence])[] = [
  ["an acknowledged run is gone", "lost", () => withoutRun(first?.task)],
  ["a run never ends", "stuck", () => withRun(first?.task, { status: "running", result: null })],
  [
    "a good task ends with a person",
    "wrong",
    () => withRun(first?.task, { status: "quarantined", result: null }),
  ],
  ["a poisonous task completes", "wrong", () => withRun(waiting?.task, { status: "completed" })],
  [
    "a run has another one's result",
    "wrong",
    () => withRun(first?.task, { result: runOf(indexOf(second?.task)).result }),
  ],
  ["a run skipped an agent", "wrong", () => withRun(first?.task, { handedOn: ["chaos-intake"] })],
  ["a run completed twice", "duplicated", () => withRun(first?.task, { completions: 2 })],
  [
    "a task had two effects",
    "duplicated",
    () => ({
      ...goodEvidence(),
      outside: [...goodEvidence().outside, { ...effect, task: first?.task ?? "" }],
    }),
  ],
  [
    "a poisonous task had an effect",
    "unexpected",
    () => ({
      ...goodEvidence(),
      outside: [...goodEvidence().outside, { ...effect, task: waiting?.task ?? "" }],
    }),
  ],
  [
    "a task has two runs",
    "duplicated",
    () => {
      const good = goodEvidence();
      const again = { at_ms: 5, type: "acked" as const, task: first?.task ?? "", run_id: "r-again" };
      const runs = [...good.final.runs, { ...runOf(indexOf(first?.task)), run_id: "r-again" }];
      return { ...good, submitted: [...good.submitted, again], final: { ...good.final, runs } };
    },
  ],
  [
    "nobody submitted what a run is about",
    "unexpected",
    () => {
      const good = goodEvidence();
      const runs = [
        ...good.final.runs,
        { ...runOf(indexOf(first?.task)), run_id: "r-x", result: { task: "t-999" } },
      ];
      return { ...good, final: { ...good.final, runs } };
    },
  ],
  [
    "the model is asked again after the effect",
    "repeated_model_calls",
    () => {
      const call = { at_ms: 9, type: "model" as const, task: first?.task ?? "", call: 2, fault: null };
      return { ...goodEvidence(), outside: [...goodEvidence().outside, call] };
    },
  ],
  [
    "the counters do not add up",
    "unbalanced",
    () => {
      const good = goodEvidence();
      return { ...good, final: { ...good.final, counts: { ...good.final.counts, submitted: 41 } } };
    },
  ],
  ["a log holds what it must not", "leaks", () => ({ ...goodEvidence(), leaks: 1 })],
];

describe("the checker", () => {
  it("finds nothing wrong with a good run, and counts it", () => {
    const { figures, problems } = checkRun(goodEvidence());
    expect(problems).toEqual([]);
    expect(figures).toMatchObject({ acked: 40, faults: 1, lost: 0, duplicated: 0, recovered: 0 });
  });

  it.each(BROKEN)("says it when %s", (_what, figure, make) => {
    const { figures, problems } = checkRun(make());
    expect(figures[figure]).toBeGreaterThan(0);
    expect(problems).toContain(`${figure} is ${figures[figure]}, not 0`);
  });

  it("counts a run of an unknown outcome as recovered, and takes none as well", () => {
    expect(checkRun(asUnknown(goodEvidence(), first?.task))).toMatchObject({
      problems: [],
      figures: { recovered: 1 },
    });
    const gone = asUnknown(withoutRun(first?.task), first?.task);
    const outside = gone.outside.filter((line) => line.type === "repair" || line.task !== first?.task);
    expect(checkRun({ ...gone, outside })).toMatchObject({ problems: [], figures: { recovered: 0 } });
  });

  it("refuses a run in which no fault struck, none was acknowledged, or the work never came to rest", () => {
    const good = goodEvidence();
    const unharmed = good.injected.map((one) => ({ ...one, struck: false }));
    expect(checkRun({ ...good, injected: unharmed }).problems).toHaveLength(1);
    expect(checkRun({ ...good, drainMs: null }).problems).toHaveLength(1);
    expect(checkRun({ ...good, submitted: [] }).problems).toContain("no task was acknowledged");
  });
});

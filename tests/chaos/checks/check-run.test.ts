import { describe, expect, it } from "vitest";
import { branchesOf, createTask, gradeOf, mustWait } from "../task.ts";
import type { Task } from "../task.ts";
import { checkRun } from "./check-run.ts";
import type { Figures } from "./check-run.ts";
import type { Evidence } from "./evidence.ts";
import type { FinalCase, FinalRun } from "./observe.ts";

const SOURCE = { seed: 3, mix: "usual" } as const;
const TASKS = Array.from({ length: 40 }, (_, index) => createTask(SOURCE, index));
const plain = TASKS.filter(({ kind }) => kind === "plain");
const first = plain[0] ?? TASKS[0];
const waiting = TASKS.find(({ kind }) => mustWait(kind));

function effectIdOf(task: string): string {
  return `e-${task}`;
}

/** Names under which a task asks the model and acts outside. */
function namesOutside(task: Task): string[] {
  return task.kind === "survey" ? branchesOf(task).map((branch) => branch.task) : [task.task];
}

function resultOf(own: Task): unknown {
  const { task, kind, amount } = own;
  if (kind !== "survey") return { task, amount, grade: gradeOf(amount), effect_id: effectIdOf(task) };
  const answers = branchesOf(own).map((branch) => ({
    task: branch.task,
    grade: gradeOf(branch.amount),
    effect_id: effectIdOf(branch.task),
  }));
  return { task, answers, written: namesOutside(own) };
}

function runOf(index: number): FinalRun {
  const task = createTask(SOURCE, index);
  const isWaiting = mustWait(task.kind);
  return {
    run_id: `r-${index}`,
    status: isWaiting ? "quarantined" : "completed",
    result: isWaiting ? null : resultOf(task),
    handedOn: ["chaos-intake", "chaos-appraise"],
    completions: isWaiting ? 0 : task.kind === "survey" ? namesOutside(task).length + 1 : 1,
  };
}

const CLASSES = { throws: "handler_error", unhealable: "validation_error" } as const;

function caseOf(index: number): FinalCase {
  const { kind } = createTask(SOURCE, index);
  const failure_class = kind === "throws" || kind === "unhealable" ? CLASSES[kind] : "parse_error";
  return {
    run_id: `r-${index}`,
    message_id: `m-${index}`,
    status: "quarantined",
    failure_class,
    anonymous: 0,
  };
}

/** The evidence of a run without a fault in it, but for one that struck. */
function goodEvidence(): Evidence {
  const runs = TASKS.map((_, index) => runOf(index));
  const completed = runs.filter(({ status }) => status === "completed").length;
  return {
    source: SOURCE,
    submitted: TASKS.flatMap(({ task, kind }, index) => [
      { at_ms: 0, type: "began" as const, task, kind },
      { at_ms: 1, type: "acked" as const, task, run_id: `r-${index}` },
    ]),
    outside: TASKS.filter(({ kind }) => !mustWait(kind))
      .flatMap(namesOutside)
      .flatMap((task) => [
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
      audit: { runs: 0, lost: [] },
      cases: TASKS.flatMap(({ kind }, index) => (mustWait(kind) ? [caseOf(index)] : [])),
    },
    injected: [
      {
        fault: { kind: "kill", target: "agents-1", atMs: 0, durationMs: 0 },
        struck: true,
        victims: [],
        misdeed: null,
        beganAtMs: 0,
        endedAtMs: 0,
      },
    ],
    fencedOff: 1,
    leaks: 0,
    observed: {
      samples: 3,
      ledgersFollowed: 3,
      regressions: [],
      unbalanced: [],
      redisBytesMax: 1,
      eventStreamMax: 1,
      processBytesMax: 1,
      unsettledStartsMax: 1,
    },
    drainMs: 10,
    drainBoundMs: 100,
    mayTakeBack: false,
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

function withObserved(change: Partial<Evidence["observed"]>): Evidence {
  const good = goodEvidence();
  return { ...good, observed: { ...good.observed, ...change } };
}

function withInjected(change: Partial<Evidence["injected"][number]>): Evidence {
  const good = goodEvidence();
  return { ...good, injected: good.injected.map((one) => ({ ...one, ...change })) };
}

function withCases(
  change: (cases: readonly FinalCase[]) => readonly FinalCase[],
  evidence: Evidence = goodEvidence(),
): Evidence {
  return { ...evidence, final: { ...evidence.final, cases: change(evidence.final.cases) } };
}

const FORGED = { messageId: "m-forged", runId: null };

function forgedCase(failure_class: FinalCase["failure_class"]): FinalCase {
  return { run_id: "", message_id: FORGED.messageId, status: "quarantined", failure_class, anonymous: 0 };
}

const effect = { at_ms: 9, type: "effect" as const, key: "k", effect_id: "e-9", is_repeat: false };

const BROKEN: readonly (readonly [string, keyof Figures, () => Evidence])[] = [
  ["an acknowledged run is gone", "lost", () => withoutRun(first?.task)],
  ["a run never ends", "stuck", () => withRun(first?.task, { status: "running", result: null })],
  [
    "a good task ends with a person",
    "wrong",
    () => withRun(first?.task, { status: "quarantined", result: null }),
  ],
  [
    "a case waits because the model was away",
    "transient",
    () => withCases((cases) => [...cases, forgedCase("transient")]),
  ],
  [
    "a task had two effects",
    "duplicated",
    () => ({
      ...goodEvidence(),
      outside: [...goodEvidence().outside, { ...effect, task: first?.task ?? "" }],
    }),
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
  ["a record of the ledger goes backwards", "regressed", () => withObserved({ regressions: ["begun fell"] })],
  ["Redis grows without end", "unbounded", () => withObserved({ redisBytesMax: 2 ** 40 })],
  ["a process works that must not", "misdeeds", () => withInjected({ misdeed: "worked with a wrong clock" })],
  ["a forged message is nowhere", "uncaught", () => withInjected({ victims: [FORGED] })],
  [
    "a case does not say who brought it there",
    "anonymous",
    () => withCases((cases) => cases.map((one, at) => (at === 0 ? { ...one, anonymous: 1 } : one))),
  ],
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
    expect(problems.filter((line) => line.startsWith(`${figure}: `))).toHaveLength(figures[figure] ?? 0);
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

  it("takes a forged message that is in quarantine once, and a destroyed one whose run waits", () => {
    const caught = withCases((all) => [...all, forgedCase("untrusted")], withInjected({ victims: [FORGED] }));
    expect(checkRun(caught)).toMatchObject({ problems: [], figures: { forged: 1 } });
    const index = indexOf(waiting?.task);
    const destroyed = withInjected({ victims: [{ messageId: "m-x", runId: `r-${index}` }] });
    expect(checkRun(destroyed)).toMatchObject({ problems: [], figures: { destroyed: 1 } });
  });

  it("counts the model calls that a kill met on their way", () => {
    const good = goodEvidence();
    const answered = { at_ms: 4, type: "answered" as const, task: first?.task ?? "", call: 1 };
    const injected = good.injected.map((one) => ({ ...one, endedAtMs: 3 }));
    const { figures } = checkRun({ ...good, injected, outside: [...good.outside, answered] });
    expect(figures.model_calls_in_flight_at_kill).toBe(1);
  });

  it("refuses a run in which no fault struck, none was acknowledged, or the work never came to rest", () => {
    const good = goodEvidence();
    const unharmed = good.injected.map((one) => ({ ...one, struck: false }));
    expect(checkRun({ ...good, injected: unharmed }).problems).toHaveLength(1);
    expect(checkRun({ ...good, drainMs: null }).problems).toHaveLength(1);
    expect(checkRun({ ...good, submitted: [] }).problems).toContain("no task was acknowledged");
  });
});

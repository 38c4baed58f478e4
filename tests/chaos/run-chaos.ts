import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sleep } from "#shared/clock";
import type { Store } from "#shared/store";
import { checkRun } from "./check-run.ts";
import type { Verdict } from "./check-run.ts";
import { readLog } from "./durable-log.ts";
import { nameOf } from "./fault-plan.ts";
import type { Fault } from "./fault-plan.ts";
import { injectFaults } from "./inject-faults.ts";
import type { Injected } from "./inject-faults.ts";
import type { OutsideLine } from "./outside-line.ts";
import { readFinalState } from "./read-final-state.ts";
import { LOCK_MS, openStage, STALLED_INTERVAL_MS } from "./stage.ts";
import type { Stage } from "./stage.ts";
import type { SubmitLine } from "./submit-line.ts";

export interface ChaosOptions {
  /** Decides the tasks and the troubles of the model's endpoint; the plan is made of the same one. */
  readonly seed: number;
  readonly plan: readonly Fault[];
  /** Tasks are begun for this long, in ms. */
  readonly trafficMs: number;
  /** Tasks begun a second. */
  readonly perSecond: number;
  /** Time that the queued work itself may take after the faults, in ms; recovery from a death comes on top. */
  readonly workMs: number;
  readonly say: (line: string) => void;
}

export interface ChaosOutcome extends Verdict {
  readonly injected: readonly Injected[];
  /** Where logs and data are; removed when the run was good. */
  readonly folder: string;
}

const SUBMITTER = fileURLToPath(new URL("processes/submitter.ts", import.meta.url));
const POLL_MS = 100;
const FENCED_OFF = /"fenced off"/g;

/**
 * One run of the suite: a safety phase with traffic and faults, then a liveness phase without faults in which all work
 * must come to its end within a bound, then the judgement.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosOutcome> {
  const { seed, plan, say } = options;
  say(`Seed ${seed}: ${plan.length} faults within ${Math.round(options.trafficMs / 1000)} s.`);
  const stage = await openStage(seed);
  const submitLog = join(stage.folder, "submitter.jsonl");
  const submitter = startSubmitter(stage, { ...options, logFile: submitLog });
  let isGood = false;
  try {
    await stage.trouble(true);
    const startedMs = performance.now();
    const injected = await injectFaults(stage, plan, ({ fault, struck }) => {
      const at = Math.round((performance.now() - startedMs) / 100) / 10;
      say(`${at} s: ${nameOf(fault)}, ${fault.durationMs} ms${struck ? "" : ": struck nobody"}`);
    });
    await stage.trouble(false);
    const healedMs = performance.now();
    const drainMs = await drain(stage.store, {
      submitted: submitter.done,
      startedMs: healedMs,
      boundMs: 2 * (LOCK_MS + 2 * STALLED_INTERVAL_MS) + options.workMs,
    });
    const logs = stage.serviceLogs.map((file) => readFileSync(file, "utf8"));
    const verdict = checkRun({
      seed,
      submitted: readLog<SubmitLine>(submitLog),
      outside: readLog<OutsideLine>(stage.outsideLog),
      final: await readFinalState(stage.store),
      injected,
      fencedOff: logs.reduce((sum, text) => sum + (text.match(FENCED_OFF)?.length ?? 0), 0),
      leaks: logs.reduce(
        (sum, text) => sum + text.split("\n").filter((line) => line.includes("canary-")).length,
        0,
      ),
      drainMs,
    });
    isGood = verdict.problems.length === 0;
    return { ...verdict, injected, folder: stage.folder };
  } finally {
    submitter.kill();
    await stage.close({ isKept: !isGood });
  }
}

interface Submitter {
  /** Resolves when every task has its answer, or is given up. */
  readonly done: Promise<void>;
  kill(): void;
}

function startSubmitter(stage: Stage, options: ChaosOptions & { readonly logFile: string }): Submitter {
  const child = spawn(
    process.execPath,
    [
      SUBMITTER,
      JSON.stringify({
        url: stage.gatewayUrl,
        secret: stage.secret,
        seed: options.seed,
        logFile: options.logFile,
        perSecond: options.perSecond,
        forMs: options.trafficMs,
        giveUpAfterMs: options.workMs,
      }),
    ],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  const done = new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the submitter ended with ${code ?? "a signal"}`));
    });
  });
  // Whoever waits for it hears of it; while faults are injected nobody does yet.
  done.catch(() => undefined);
  return { done, kill: () => void child.kill("SIGKILL") };
}

/** Waits for the submitter and for every run to end or to wait for a person. @returns How long; null: too long. */
async function drain(
  store: Store,
  work: { readonly submitted: Promise<void>; readonly startedMs: number; readonly boundMs: number },
): Promise<number | null> {
  await work.submitted;
  while (performance.now() < work.startedMs + work.boundMs) {
    const { queued, running, in_ward } = await store.runs.counts();
    if (queued + running + in_ward === 0) return performance.now() - work.startedMs;
    await sleep(POLL_MS);
  }
  return null;
}

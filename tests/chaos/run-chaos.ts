import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sleep } from "#shared/clock";
import type { Store } from "#shared/store";
import { checkRun } from "./checks/check-run.ts";
import type { Verdict } from "./checks/check-run.ts";
import { Observer, readFinalState } from "./checks/observe.ts";
import { readLog } from "./logs.ts";
import type { OutsideLine, SubmitLine } from "./logs.ts";
import { asNextRelease, LOCK_MS, scriptAt, STALLED_INTERVAL_MS } from "./launch-services.ts";
import { askUntilAnswered } from "./ask-until-answered.ts";
import type { Chapter } from "./plan/chapters.ts";
import { nameOf } from "./plan/faults.ts";
import type { Fault } from "./plan/faults.ts";
import { openDeployment } from "./deployment.ts";
import type { Deployment } from "./deployment.ts";
import { injectFaults } from "./strikes/inject-faults.ts";
import type { Injected } from "./strikes/inject-faults.ts";
import { remember } from "./service-process.ts";
import type { Launch } from "./service-process.ts";
import type { SubmitterOptions } from "./processes/submitter.ts";

interface ChaosOptions {
  readonly chapter: Chapter;
  /** Decides the tasks and the troubles of the model's endpoint; the plan is made of the same one. */
  readonly seed: number;
  /** Source of the strikes: a plan of faults, or a course of its own, as of a drill. */
  readonly plan: readonly Fault[] | ((deployment: Deployment) => Promise<readonly Injected[]>);
  /** Starts every process in another way, as another release. Default: as it is. */
  readonly launchAs?: (launch: Launch) => Launch;
  /** Tasks are begun for this long, in ms. */
  readonly trafficMs: number;
  /** Tasks begun a second. */
  readonly perSecond: number;
  /** Time for what a message may have to wait for in itself, in ms; recovery and queued work come on top. */
  readonly settleMs: number;
  readonly say: (line: string) => void;
}

export interface ChaosOutcome extends Verdict {
  readonly injected: readonly Injected[];
  /** Folder with logs and data; removed when the run was good. */
  readonly folder: string;
}

const POLL_MS = 100;
/** Time that one queued run may take of a busy machine, in ms. */
const WORK_MS_PER_RUN = 250;
/** Tasks that kill their process, of those of a poison storm. */
const KILLING_SHARE = 0.05;
const FENCED_OFF = /"returned unsettled"/g;

/** One run of the suite: a safety phase with faults, a liveness phase without in which all work must end, a verdict. */
export async function runChaos(options: ChaosOptions): Promise<ChaosOutcome> {
  const { chapter, seed, plan, say, launchAs } = options;
  const source = { seed, mix: chapter.mix };
  const deployment = await openDeployment(chapter, source, launchAs);
  const submitLog = join(deployment.folder, "submitter.jsonl");
  const submitter = startSubmitter({
    url: deployment.gatewayUrl,
    secret: deployment.secret,
    source,
    logFile: submitLog,
    perSecond: options.perSecond,
    forMs: options.trafficMs,
    giveUpAfterMs: options.settleMs,
  });
  const observer = new Observer(deployment);
  let isGood = false;
  try {
    const injected =
      typeof plan === "function" ? await plan(deployment) : await strikeAsPlanned(deployment, plan, say);
    await heal(deployment, chapter);
    const healedMs = performance.now();
    await submitter.done;
    const { boundMs, drainMs } = await drain(deployment.store, { ...options, startedMs: healedMs });
    const logs = deployment.serviceLogs.map((file) => readFileSync(file, "utf8"));
    const verdict = checkRun({
      source,
      submitted: readLog<SubmitLine>(submitLog),
      outside: readLog<OutsideLine>(deployment.outsideLog),
      final: await askUntilAnswered(() => readFinalState(deployment.store)),
      injected,
      observed: observer.stop(),
      fencedOff: logs.reduce((sum, text) => sum + (text.match(FENCED_OFF)?.length ?? 0), 0),
      leaks: logs.reduce(
        (sum, text) => sum + text.split("\n").filter((line) => line.includes("canary-")).length,
        0,
      ),
      drainMs,
      drainBoundMs: boundMs,
      mayTakeBack: chapter.topology === "replicated",
    });
    isGood = verdict.problems.length === 0;
    return { ...verdict, injected, folder: deployment.folder };
  } finally {
    observer.stop();
    submitter.kill();
    await deployment.close({ isKept: !isGood });
  }
}

async function strikeAsPlanned(deployment: Deployment, plan: readonly Fault[], say: ChaosOptions["say"]) {
  await deployment.trouble(true);
  const startedMs = performance.now();
  return injectFaults(deployment, plan, ({ fault, struck }) => {
    const at = Math.round((performance.now() - startedMs) / 100) / 10;
    say(`${at} s: ${nameOf(fault)}, ${fault.durationMs} ms${struck ? "" : ": struck nobody"}`);
  });
}

/** No more faults; where two releases were at work, the newer one has the last word. */
async function heal(deployment: Deployment, { deck }: Chapter): Promise<void> {
  await deployment.trouble(false);
  if (deck !== "upgrade") return;
  for (const service of Object.values(deployment.services)) {
    await service.relaunch(asNextRelease(service.launch), "clean");
  }
}

/** Waits until every run ends or waits for a person within the bound (I8). @returns It, and how long; null: longer. */
async function drain(
  store: Store,
  { settleMs, startedMs, chapter }: ChaosOptions & { readonly startedMs: number },
): Promise<{ readonly boundMs: number; readonly drainMs: number | null }> {
  const countOpen = async (): Promise<number> => {
    const { queued, running, in_ward } = await store.runs.counts();
    return queued + running + in_ward;
  };
  let open = await askUntilAnswered(countOpen);
  const takeOverMs = LOCK_MS + 2 * STALLED_INTERVAL_MS;
  // A task that kills does so until it is quarantined, each time with the process to itself, one after the other.
  const deathsMs = chapter.mix === "poison" ? KILLING_SHARE * open * chapter.crashesMax * takeOverMs : 0;
  const boundMs = 2 * takeOverMs + settleMs + WORK_MS_PER_RUN * open + deathsMs;
  while (performance.now() < startedMs + boundMs) {
    open = await askUntilAnswered(countOpen);
    if (open === 0) return { boundMs, drainMs: performance.now() - startedMs };
    await sleep(POLL_MS);
  }
  return { boundMs, drainMs: null };
}

interface Submitter {
  /** Resolves when every task has its answer, or is given up. */
  readonly done: Promise<void>;
  kill(): void;
}

/** Starts the client, as a process of its own. */
function startSubmitter(options: SubmitterOptions): Submitter {
  const child = spawn(
    process.execPath,
    ["--disable-sigusr1", scriptAt("tests/chaos/processes/submitter.ts"), JSON.stringify(options)],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  remember(child);
  const done = new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the submitter ended with ${code ?? "a signal"}`));
    });
  });
  // Its failure is thrown where it is awaited; while faults are injected nothing awaits it yet.
  done.catch(() => undefined);
  return { done, kill: () => void child.kill("SIGKILL") };
}

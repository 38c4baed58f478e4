import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LocalBlobs } from "#shared/blobs";
import { loadConfig } from "#shared/config";
import type { Config } from "#shared/config";
import { loadVariants } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { CommandRefusedError } from "../errors.ts";
import { listenForStop } from "../launcher/stop-signals.ts";
import { CaseFiles } from "./cases/case-files.ts";
import { AS_IT_IS, contendersOf } from "./cases/contender.ts";
import type { Contender } from "./cases/contender.ts";
import { casesFile, readCases } from "./cases/labelled-case.ts";
import type { LabelledCase } from "./cases/labelled-case.ts";
import { openEvalSystem } from "./open-system.ts";
import type { EvalSystem } from "./open-system.ts";
import { Progress } from "./progress.ts";
import { printSummary, REHEARSAL } from "./report/print-summary.ts";
import { summarise } from "./report/summarise.ts";
import type { EvalSummary } from "./report/summarise.ts";
import { write, writeError } from "../print/print-answer.ts";
import { takeEvenly } from "../take-evenly.ts";
import { planTrials, runTrials } from "./run-trials.ts";

export interface EvalOptions {
  /** Names of the contenders. Default: all. */
  readonly variant?: readonly string[];
  /** Cases to take at most, at even steps. Default: all. */
  readonly limit?: number;
  /** Runs at a time. */
  readonly concurrency: number;
  /** Of the rehearsal's faults and of the drawing of intervals. Default: the configured seed. */
  readonly seed?: number;
  /** File that the summary is written to, as JSON. Default: none. */
  readonly json?: string;
  /** USD over all runs at which no further one begins. */
  readonly costMax: number;
  /** Seconds that one run may take. */
  readonly within: number;
}

const HOUR_MS = 3_600_000;

const say = writeError;

/**
 * Measures a team and its variants on its labelled set, and prints what it came to.
 *
 * @returns Whether every run was made, and at least one gave a result.
 * @throws {CommandRefusedError} There is no such team, variant or set, or a line of the set is wrong.
 */
export async function runEval(name: string, options: EvalOptions): Promise<boolean> {
  const { contenders, cases, files } = await prepareEval(name, options);
  const planned = planTrials({ cases, contenders }).length;
  const names = contenders.map((contender) => contender.name).join(", ");
  say(`${cases.length} cases, ${planned} runs: ${names}.`);
  let system: EvalSystem | null = null;
  const { signal, release } = listenForStop(() => {
    system?.kill();
    process.exit(1);
  });
  try {
    const { seed } = options;
    const teams = contenders.map(({ team }) => team);
    system = await openEvalSystem({ name, teams, say, signal, ...(seed === undefined ? {} : { seed }) });
    await files.keepIn(blobsOf(system.config), signal);
    if (system.config.isRehearsal) say(REHEARSAL);
    const progress = new Progress(planned);
    const done = await runTrials(system, {
      contenders,
      cases,
      concurrency: options.concurrency,
      costMax: options.costMax,
      withinMs: options.within * 1000,
      signal,
      onTrial: (trial) => progress.add(trial),
    });
    const { config } = system;
    const of = { team: name, config, seed: seed ?? config.rehearsalSeed, contenders, cases: cases.length };
    report(summarise({ ...of, ...done }), options);
    return done.stopped === null && done.trials.some(({ failure }) => failure === null);
  } finally {
    await system?.close();
    release();
  }
}

/** Where the system's agents look for what a reference names. */
function blobsOf({ dataDir, blobsBytesMax, blobHours }: Config): LocalBlobs {
  return new LocalBlobs(join(dataDir, "blobs"), { bytesMax: blobsBytesMax, ageMsMax: blobHours * HOUR_MS });
}

function report(summary: EvalSummary, { json }: EvalOptions): void {
  write(printSummary(summary).trimEnd());
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(summary, null, 2)}\n`);
}

interface PreparedEval {
  readonly contenders: readonly Contender[];
  readonly cases: readonly LabelledCase[];
  readonly files: CaseFiles;
}

async function prepareEval(name: string, { variant, limit }: EvalOptions): Promise<PreparedEval> {
  const { teamsDir } = loadConfig();
  const teams = await loadTeams(teamsDir, name);
  const team = teams.find((one) => one.name === name);
  if (team === undefined)
    throw new CommandRefusedError(`There is no team ${name}.`, "`suture teams ls` lists them.");
  const all = contendersOf(team, await loadVariants(teamsDir, name));
  const unknown = variant?.find((wanted) => !all.some((one) => one.name === wanted));
  if (unknown !== undefined) {
    const known = all.map((one) => one.name).join(", ");
    throw new CommandRefusedError(`${name} has no variant ${unknown}.`, `Name some of ${known}.`);
  }
  const files = new CaseFiles();
  const cases = await readCases(casesFile(teamsDir, name), { accepts: team.entry.accepts, files });
  const foreign = all.find(({ team: own }) => own.entry.accepts.id !== team.entry.accepts.id);
  if (foreign !== undefined)
    throw new CommandRefusedError(
      `The variant ${foreign.name} accepts ${foreign.team.entry.accepts.id}, ${AS_IT_IS} ${team.entry.accepts.id}.`,
      "Let it accept what the team accepts.",
    );
  const wanted = new Set(variant ?? all.map((one) => one.name));
  return { contenders: all.filter((one) => wanted.has(one.name)), cases: takeEvenly(cases, limit), files };
}

import { join } from "node:path";
import { Readable } from "node:stream";
import { LocalBlobs } from "#shared/blobs";
import type { Config } from "#shared/config";
import { loadVariants } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { CommandRefusedError } from "../errors.ts";
import { progressTo, writeError as say } from "../print/print-answer.ts";
import { takeEvenly } from "../take-evenly.ts";
import { readCases } from "./cases.ts";
import type { LabelledSet } from "./cases.ts";
import { runTrials } from "./run-trials.ts";
import type { Purse } from "./run-trials.ts";
import { openEvalSystem } from "./system.ts";
import type { EvalSystem } from "./system.ts";
import { AS_IT_IS, contendersOf, expectedOf, isRight, summarise } from "./trial.ts";
import type { Trial } from "./trial.ts";

/** Said before the runs and behind the figures. */
export const REHEARSAL =
  "REHEARSAL: stand-ins answered, not a model. These figures show that the machinery works; " +
  "the accuracy means nothing about a model. Set OPENAI_API_KEY or OPENAI_BASE_URL to measure one.";

const PROGRESS_EVERY_MS = 5000;
const HOUR_MS = 3_600_000;

/** Without a value: every contender and case, the configured seed, no file. */
export interface EvalOptions {
  readonly variant?: readonly string[];
  readonly limit?: number;
  readonly concurrency: number;
  readonly seed?: number;
  readonly json?: string;
  readonly costMax: number;
  /** Seconds. */
  readonly within: number;
}

/** Result of a measurement; the form of `--json`. */
export type EvalSummary = Awaited<ReturnType<typeof measureTeam>>;

/** Reads and checks what one team's measurement needs. @throws {CommandRefusedError} No such team, variant or set. */
export async function prepareTeam(teamsDir: string, name: string, { variant, limit }: EvalOptions) {
  const team = (await loadTeams(teamsDir, name)).find((one) => one.name === name);
  if (team === undefined)
    throw new CommandRefusedError(`There is no team ${name}.`, "`suture teams ls` lists them.");
  const all = contendersOf(team, await loadVariants(teamsDir, name));
  const known = all.map((one) => one.name);
  const unknown = variant?.find((wanted) => !known.includes(wanted));
  if (unknown !== undefined)
    throw new CommandRefusedError(`${name} has no variant ${unknown}.`, `Name some of ${known.join(", ")}.`);
  const { accepts } = team.entry;
  const { cases, files } = await readCases(join(teamsDir, name), accepts);
  const foreign = all.find((one) => one.team.entry.accepts.id !== accepts.id);
  if (foreign !== undefined)
    throw new CommandRefusedError(
      `The variant ${foreign.name} accepts ${foreign.team.entry.accepts.id}, ${AS_IT_IS} ${accepts.id}.`,
      "Let it accept what the team accepts.",
    );
  const contenders = all.filter((one) => variant === undefined || variant.includes(one.name));
  return { team: name, contenders, cases: takeEvenly(cases, limit), files };
}

export type Prepared = Awaited<ReturnType<typeof prepareTeam>>;

interface Measuring {
  readonly options: EvalOptions;
  readonly purse: Purse;
  readonly signal: AbortSignal;
  /** Hears of the running system, so that a second signal can end it at once. */
  readonly onOpen: (system: EvalSystem) => void;
}

/** Measures one team and its variants in a system of its own, and adds up what it came to. */
export async function measureTeam(prepared: Prepared, { options, purse, signal, onOpen }: Measuring) {
  const { team, contenders, cases, files } = prepared;
  const { seed, concurrency } = options;
  // Interleaved, so that a slow minute hits all contenders.
  const plan = cases.flatMap((one) =>
    contenders
      .filter((contender) => expectedOf(one, [contender]).length > 0)
      .map((contender) => ({ case: one, contender })),
  );
  const named = contenders.map(({ name }) => name).join(", ");
  say(`${team}: ${cases.length} cases, ${plan.length} runs: ${named}.`);
  const teams = contenders.map((contender) => contender.team);
  await using system = await openEvalSystem({ name: team, teams, signal, seed });
  onOpen(system);
  const { config } = system;
  await keepFiles(config, files, signal);
  if (config.isRehearsal) say(REHEARSAL);
  const onTrial = showProgress(plan.length);
  const run = { plan, concurrency, purse, withinMs: options.within * 1000, signal, onTrial };
  const { trials, stopped } = await runTrials(system, run);
  return {
    team,
    rehearsal: config.isRehearsal,
    seed: seed ?? config.rehearsalSeed,
    models: { router: config.modelRouter, worker: config.modelWorker, surgeon: config.modelSurgeon },
    cases: cases.length,
    trials: { planned: plan.length, done: trials.length },
    stopped,
    ...summarise(contenders, trials),
  };
}

/** Stores what cases name where the system's agents look for it. */
async function keepFiles(config: Config, files: LabelledSet["files"], signal: AbortSignal): Promise<void> {
  const limits = { bytesMax: config.blobsBytesMax, ageMsMax: config.blobHours * HOUR_MS };
  const blobs = new LocalBlobs(join(config.dataDir, "blobs"), limits);
  for (const bytes of files.values()) {
    const content = Readable.from(Buffer.from(bytes), { objectMode: false });
    await blobs.store({ content, mimeType: "application/octet-stream", bytesMax: bytes.length, signal });
  }
}

/** Prints how far a measurement is, on standard error. */
function showProgress(planned: number): (trial: Trial) => void {
  const print = progressTo(process.stderr, PROGRESS_EVERY_MS);
  let [done, right, failed, cost] = [0, 0, 0, 0];
  return (trial) => {
    done += 1;
    right += Number(isRight(trial));
    failed += Number(trial.failure !== null);
    cost += trial.cost;
    const line = `${done} of ${planned} runs, ${right} right, ${failed} failed, ${cost.toFixed(4)} USD`;
    print(line, done === planned);
  };
}

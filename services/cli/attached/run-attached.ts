import { existsSync } from "node:fs";
import { link, open, rm } from "node:fs/promises";
import { BullmqWard } from "#shared/bullmq-ward";
import type { JobCase, SweepReport, WardMode } from "#shared/bullmq-ward";
import { AttachedRedisRefusedError, isRedisReply, openAttached } from "#shared/store/attached";
import { CommandRefusedError, EXIT } from "../errors.ts";
import { listenForStop } from "../launcher/stop-signals.ts";
import { printJson, printJsonLine, printListing, write, writeError } from "../print/print-answer.ts";
import { readInput, readJson, readSchema } from "../read-input.ts";

/** The queue and its Redis, the contract of its data, and the options of each command. */
export interface AttachedOptions {
  readonly redis?: string;
  readonly queue: string;
  readonly prefix: string;
  readonly contract?: string;
  readonly at?: string;
  readonly mode?: WardMode;
  readonly mayRepeatEffects?: boolean;
  readonly every: number;
  readonly once: boolean;
  readonly json: boolean;
  readonly export: string;
  readonly limit: number;
  readonly by: string;
  readonly data?: string;
  readonly acceptsEffects?: boolean;
  readonly repair: "rules" | "none";
  readonly dryRun: boolean;
  readonly canary: number;
}

export type Action = keyof typeof ACTIONS;

/** Opens the ward of a queue, does what a command asks for, and closes its connections. */
export async function runAttached(action: Action, subject: string, options: AttachedOptions): Promise<void> {
  const { redis: url, queue: name, prefix, contract, at, mode, mayRepeatEffects } = options;
  if (url === undefined)
    throw new CommandRefusedError("No Redis is named.", "Give --redis redis://host:6379, or set REDIS_URL.");
  if (at !== undefined && contract === undefined)
    throw new CommandRefusedError("--at says where a contract holds, and there is none.", "Add --contract.");
  const schema = contract === undefined ? null : await readSchema(contract);
  const opened = await openAttached({ url, name, prefix, onError: ({ message }) => writeError(message) });
  try {
    if (!(await opened.exists()))
      throw new CommandRefusedError(
        `This Redis has no BullMQ queue "${name}" under the prefix "${prefix}".`,
        "Check --queue, --prefix and the database in --redis.",
      );
    const ward = new BullmqWard(opened.queue, {
      redis: opened.redis,
      ...(schema === null ? {} : { contract: { schema, ...(at === undefined ? {} : { at }) } }),
      ...(mode === undefined ? {} : { mode }),
      ...(mayRepeatEffects === undefined ? {} : { mayRepeatEffects }),
    });
    await ACTIONS[action](ward, options, subject);
  } catch (error) {
    throw isRedisReply(error) ? new AttachedRedisRefusedError(error) : error;
  } finally {
    await opened.close();
  }
}

type Act = (ward: BullmqWard, options: AttachedOptions, subject: string) => Promise<void>;

/** Actions of the commands, by name. One that holds back what was asked for ends with exit code 2. */
const ACTIONS = {
  attach,
  detach,
  /** Lists failed jobs, with sensitive values masked. */
  ls: async (ward, { limit, json }) => {
    const rows: JobCase[] = [];
    for await (const one of ward.cases()) {
      rows.push(ward.describe(one));
      if (rows.length === limit) break;
    }
    printListing({
      answer: rows,
      rows,
      columns: [
        "id as job",
        "name",
        ["failed", ({ failedAtMs }) => new Date(failedAtMs).toISOString()],
        ["error", ({ failedReason }) => failedReason.slice(0, 80)],
        ["data", ({ data }) => data?.slice(0, 120)],
      ],
      empty: "No failed jobs.",
      json,
    });
  },
  edit: async (ward, options, id) => {
    const jobCase = await findCase(ward, id);
    printOutcome(await ward.edit(jobCase, await readData(options), options.by));
  },
  send: async (ward, options, id) => {
    const { by, acceptsEffects } = options;
    const data = options.data === undefined ? {} : { data: await readData(options) };
    printOutcome(await ward.redrive(await findCase(ward, id), { by, acceptsEffects, ...data }));
  },
  /** Sends a group back. */
  apply: async (ward, { by, repair, dryRun: isDryRun, canary, acceptsEffects }, group) => {
    const effects = acceptsEffects === undefined ? {} : { acceptsEffects };
    const report = await ward.applyToGroup(group, { by, repair, isDryRun, canary, ...effects });
    printJson(report);
    if (report.matched === 0)
      throw new CommandRefusedError(`No failed job is in group ${group}.`, "See attach --once.");
    if (report.stopped !== null) process.exitCode = EXIT.refused;
  },
  undo: async (ward, { by }, id) => printOutcome({ kind: await ward.undo(id, by) }),
  "undo-batch": async (ward, { by }, batch) => printJson(await ward.undoBatch(batch, by)),
  /** Derives a recipe from what a person makes of a failed job's data. The job stays as it is. */
  learn: async (ward, options, id) => {
    const learned = await ward.learn(await findCase(ward, id), await readData(options), options.by);
    printJson(learned);
    if (learned.kind === "none") process.exitCode = EXIT.refused;
  },
  recipes: async (ward, { json }) => {
    const rows = await ward.recipes();
    printListing({
      answer: rows,
      rows,
      columns: [
        "id as recipe",
        "by",
        ["at", ({ atMs }) => new Date(atMs).toISOString()],
        ["operations", ({ recipe }) => recipe.operations.map((one) => JSON.stringify(one)).join(" ")],
      ],
      empty: "No recipes yet.",
      json,
    });
  },
  /** Deletes a recipe. Jobs that it repaired stay as they are. */
  forget: async (ward, _options, id) => {
    if (!(await ward.forgetRecipe(id)))
      throw new CommandRefusedError(`The queue has no recipe ${id}.`, "See suture ward attached recipes.");
    write(`Recipe ${id} is deleted.`);
  },
} satisfies Readonly<Record<string, Act>>;

/** Sweeps a queue until Ctrl+C, or once, and prints what was found when it has changed. */
async function attach(ward: BullmqWard, { once, json, every }: AttachedOptions): Promise<void> {
  let printed = "";
  const print = (report: SweepReport): void => {
    const text = JSON.stringify(report);
    if (text === printed) return;
    printed = text;
    if (json) printJsonLine(report);
    else printReport(report);
  };
  if (once) return print(await ward.sweep());
  const { signal, release } = listenForStop(() => process.exit(1));
  const onError = (error: unknown) => writeError(error instanceof Error ? error.message : String(error));
  await ward.run({ everyMs: every * 1000, signal, onSweep: print, onError }).finally(release);
}

function printReport({ complete, cases, groups, proposed, redriven, held, recovered }: SweepReport): void {
  if (complete || cases > 0)
    printListing({
      answer: groups,
      rows: groups,
      columns: [
        "id as group",
        "count as jobs",
        "jobName as job",
        ["faults of the data", ({ faults }) => faults.join("; ")],
        "error",
        ["such as", ({ examples }) => examples.join(" ")],
      ],
      empty: "No failed jobs.",
    });
  const holds = Object.entries(held).map(([reason, count]) => `${count} held (${reason})`);
  const counts = [`${cases} failed`, `${proposed} with a proved repair`, `${redriven} sent back`, ...holds];
  if (recovered > 0) counts.push(`${recovered} finished for a process that died`);
  if (!complete) counts.push("told to end before it had seen them all");
  write(counts.join(", "));
}

async function findCase(ward: BullmqWard, id: string): Promise<JobCase> {
  const found = await ward.find(id);
  if (found !== null) return found;
  throw new CommandRefusedError(
    `Job ${id} is not in the failed set.`,
    "It may have been retried or removed.",
  );
}

/** Reads JSON text from a file, or from standard input for `-`. @throws {CommandRefusedError} */
async function readData({ data: file = "-" }: AttachedOptions): Promise<string> {
  const text = await readInput(file);
  readJson(text, "The data");
  return text;
}

function printOutcome(outcome: { readonly kind: string }): void {
  printJson(outcome);
  if (outcome.kind !== "written" && outcome.kind !== "undone") process.exitCode = EXIT.refused;
}

/**
 * Writes all cases to a new file that only its owner can read, as JSON lines, and deletes the ward's keys when the file
 * is on disk. The file appears when it is complete: what fails or is killed before leaves none of this name.
 */
export async function detach(
  ward: BullmqWard,
  { export: target, queue }: { readonly export: string; readonly queue: string },
): Promise<void> {
  if (existsSync(target)) throw refused(`${target} is there already.`);
  const partial = `${target}.${process.pid}.partial`;
  const file = await open(partial, "wx", 0o600).catch(() => {
    throw refused(`${target} cannot be written.`);
  });
  try {
    let lines = 0;
    const add = async (line: object): Promise<void> => {
      await file.appendFile(`${JSON.stringify(line)}\n`);
      lines += 1;
    };
    await ward.detach({
      onCase: (jobCase, original) => add({ kind: "failed", ...jobCase, original }),
      onAll: async () => {
        await file.sync();
        await publish(partial, target);
      },
    });
    write(`Detached from ${queue}. ${lines} cases are in ${target}; the jobs stay as they are.`);
  } finally {
    await file.close();
    await rm(partial, { force: true });
  }
}

/** Gives a complete file its name, and overwrites none. */
async function publish(partial: string, target: string): Promise<void> {
  await link(partial, target).catch(() => {
    throw refused(`${target} is there already.`);
  });
}

function refused(problem: string): CommandRefusedError {
  return new CommandRefusedError(problem, "Name a new file; nothing was deleted.");
}

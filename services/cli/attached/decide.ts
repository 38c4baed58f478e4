import type { BullmqWard, JobCase } from "#shared/bullmq-ward";
import { CommandRefusedError } from "../errors.ts";
import { printJson, printListing } from "../print/print-answer.ts";
import { readInput, readJson } from "../read-input.ts";
import { withWard } from "./with-ward.ts";
import type { AttachOptions } from "./with-ward.ts";

export interface DecideOptions extends AttachOptions {
  readonly by: string;
  readonly data?: string;
  readonly acceptsEffects?: boolean;
}

/** Prints the failed jobs, with sensitive values masked, or one of them whole. */
export function listCases(options: AttachOptions & { readonly limit: number; readonly json?: boolean }) {
  return withWard(options, async (ward) => {
    const rows: JobCase[] = [];
    for await (const one of ward.cases()) {
      rows.push(ward.describe(one));
      if (rows.length === options.limit) break;
    }
    printListing(
      {
        answer: rows,
        rows,
        columns: [
          ["job", ({ id }) => id],
          ["name", ({ name }) => name],
          ["failed", ({ failedAtMs }) => new Date(failedAtMs).toISOString()],
          ["error", ({ failedReason }) => failedReason.slice(0, 80)],
          ["data", ({ data }) => data?.slice(0, 120)],
        ],
        empty: "No failed jobs.",
      },
      options,
    );
  });
}

/** Writes data to a failed job and, with `sends`, sends it back. Exit code 2 if it is held. */
export function decideJob(id: string, options: DecideOptions, sends: boolean): Promise<void> {
  return withWard(options, async (ward) => {
    const jobCase = await findCase(ward, id);
    const data = options.data === undefined ? undefined : await readData(options.data);
    if (sends) {
      const { by, acceptsEffects } = options;
      const decision = { by, acceptsEffects, ...(data === undefined ? {} : { data }) };
      printOutcome(await ward.redrive(jobCase, decision));
    } else if (data === undefined)
      throw new CommandRefusedError("There is no new data.", "Give --data FILE; - reads standard input.");
    else printOutcome(await ward.edit(jobCase, data, options.by));
  });
}

/** Undoes the edits of a job, or of a batch. */
export function undo(of: { readonly job?: string; readonly batch?: string }, options: DecideOptions) {
  return withWard(options, async (ward) => {
    if (of.batch !== undefined) printJson(await ward.undoBatch(of.batch, options.by));
    else printOutcome({ kind: await ward.undo(of.job ?? "", options.by) });
  });
}

/** Sends a group back. */
export function applyToGroup(
  group: string,
  options: DecideOptions & {
    readonly repair: "rules" | "none";
    readonly dryRun: boolean;
    readonly canary: number;
  },
): Promise<void> {
  const { by, repair, dryRun: isDryRun, canary, acceptsEffects } = options;
  const effects = acceptsEffects === undefined ? {} : { acceptsEffects };
  return withWard(options, async (ward) => {
    const report = await ward.applyToGroup(group, { by, repair, isDryRun, canary, ...effects });
    printJson(report);
    if (report.matched === 0)
      throw new CommandRefusedError(`No failed job is in group ${group}.`, "See attach --once.");
    if (report.stopped !== null) process.exitCode = 2;
  });
}

/** @throws {CommandRefusedError} The job is not in the failed set. */
export async function findCase(ward: BullmqWard, id: string): Promise<JobCase> {
  const found = await ward.find(id);
  if (found !== null) return found;
  throw new CommandRefusedError(
    `Job ${id} is not in the failed set.`,
    "It may have been retried or removed.",
  );
}

/** Reads JSON text from a file, or from standard input for `-`. @throws {CommandRefusedError} */
export async function readData(file: string): Promise<string> {
  const text = await readInput(file);
  readJson(text, "The data");
  return text;
}

function printOutcome(outcome: { readonly kind: string }): void {
  printJson(outcome);
  if (outcome.kind !== "written" && outcome.kind !== "undone") process.exitCode = 2;
}

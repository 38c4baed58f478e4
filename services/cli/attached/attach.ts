import type { CaseGroup, SweepReport } from "#shared/bullmq-ward";
import { printJsonLine, printListing, write, writeError } from "../print/print-answer.ts";
import { withWard } from "./with-ward.ts";
import type { AttachOptions } from "./with-ward.ts";

export interface AttachCommandOptions extends AttachOptions {
  readonly every: number;
  readonly once: boolean;
  readonly json: boolean;
}

/** Sweeps a queue until Ctrl+C, or once, and prints what was found when it has changed. */
export function attach(options: AttachCommandOptions): Promise<void> {
  return withWard(options, async (ward) => {
    let printed = "";
    const print = (report: SweepReport): void => {
      const text = JSON.stringify(report);
      if (text === printed) return;
      printed = text;
      if (options.json) printJsonLine(report);
      else printReport(report);
    };
    if (options.once) {
      print(await ward.sweep());
      return;
    }
    const stop = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
    await ward.run({
      everyMs: options.every * 1000,
      signal: stop.signal,
      onSweep: print,
      onError: (error) => writeError(error instanceof Error ? error.message : String(error)),
    });
  });
}

function printReport({ complete, cases, groups, proposed, redriven, held, recovered }: SweepReport): void {
  if (complete || cases > 0) printGroups(groups);
  const holds = Object.entries(held).map(([reason, count]) => `${count} held (${reason})`);
  const counts = [`${cases} failed`, `${proposed} with a proved repair`, `${redriven} sent back`, ...holds];
  if (recovered > 0) counts.push(`${recovered} finished for a process that died`);
  if (!complete) counts.push("told to end before it had seen them all");
  write(counts.join(", "));
}

function printGroups(groups: readonly CaseGroup[]): void {
  printListing(
    {
      answer: groups,
      rows: groups,
      columns: [
        ["group", ({ id }) => id],
        ["jobs", ({ count }) => count],
        ["job", ({ jobName }) => jobName],
        ["faults of the data", ({ faults }) => faults.join("; ")],
        ["error", ({ error }) => error],
        ["such as", ({ examples }) => examples.join(" ")],
      ],
      empty: "No failed jobs.",
    },
    {},
  );
}

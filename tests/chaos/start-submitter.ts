import { spawn } from "node:child_process";
import { scriptAt } from "./launch-services.ts";
import type { TaskSource } from "./task.ts";
import { remember } from "./service-process.ts";

export interface SubmitterOptions {
  readonly url: string;
  readonly secret: string;
  readonly source: TaskSource;
  readonly logFile: string;
  readonly perSecond: number;
  /** Tasks are begun for this long, in ms. */
  readonly forMs: number;
  /** Unanswered tasks are given up this long after the last was begun, in ms. */
  readonly giveUpAfterMs: number;
}

export interface Submitter {
  /** Resolves when every task has its answer, or is given up. */
  readonly done: Promise<void>;
  kill(): void;
}

/** Starts the client, as a process of its own. */
export function startSubmitter(options: SubmitterOptions): Submitter {
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
  // Whoever waits for it hears of it; while faults are injected nobody does yet.
  done.catch(() => undefined);
  return { done, kill: () => void child.kill("SIGKILL") };
}

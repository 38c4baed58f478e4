import type { ConfigOverrides } from "#shared/config";
import { write as say } from "../print/print-answer.ts";
import { launch } from "./launch.ts";
import type { Launcher, LaunchOptions } from "./launch.ts";
import { listenForStop, StopAskedFor, whenAborted } from "./stop-signals.ts";

/** Starts everything and keeps it running until a signal asks for the end, or a service cannot be kept alive. */
export async function runUp(overrides: ConfigOverrides, processes: number | undefined): Promise<void> {
  await keepLaunched({ overrides, processes, say }, async (launched, signal) => {
    say("Ready. Ctrl+C stops everything; twice, at once.");
    await Promise.race([whenAborted(signal), launched.failed]);
  });
}

/** Runs `work` with everything started, and stops everything afterwards, whatever happens. */
export async function keepLaunched(
  options: Omit<LaunchOptions, "signal">,
  work: (launched: Launcher, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  let launched: Launcher | null = null;
  const { signal, release } = listenForStop(() => {
    launched?.kill();
    process.exit(1);
  });
  try {
    launched = await launch({ ...options, signal });
    await work(launched, signal);
  } catch (error) {
    // Asked for during the start or the work: there is nothing to complain about.
    if (!(error instanceof StopAskedFor)) throw error;
  } finally {
    if (launched !== null) {
      options.say("Stopping: work in hand is finished or given back to its queue.");
      await launched.stop();
      options.say("Stopped.");
    }
    release();
  }
}

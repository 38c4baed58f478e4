import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { sleep } from "#shared/clock";
import { loadConfig } from "#shared/config";
import type { ConfigOverrides } from "#shared/config";
import { FOREGROUND, spawnService } from "../launcher/spawn-service.ts";
import { listenForStop, whenAborted } from "../launcher/stop-signals.ts";
import { write } from "../print/print-answer.ts";
import { followFailures } from "./follow-failures.ts";

const MAIN = fileURLToPath(new URL(`../main${extname(import.meta.filename)}`, import.meta.url));
/** Editors write a file in several steps: what follows within this time, in ms, is one change. */
const SETTLE_MS = 300;
/** Files whose change starts nothing again. */
const IGNORED = /(?:^|\/)(?:\.|node_modules\/)|\.test\.[jt]s$|~$/;

/**
 * Runs `suture up` in a process of its own and starts it again when a file of the teams changes. Runs and their data
 * stay. A team that does not load leaves everything stopped until the next change. Failures of agents are shown.
 *
 * @param flags - Options of `up`.
 */
export async function runDev(
  flags: readonly string[],
  overrides: Pick<ConfigOverrides, "SUTURE_DATA_DIR">,
): Promise<void> {
  const { teamsDir, dataDir } = loadConfig(undefined, overrides);
  let up: ChildProcess | null = null;
  const { signal, release } = listenForStop(() => {
    up?.kill("SIGKILL");
    process.exit(1);
  });
  const changes = watchTeams(teamsDir);
  const endFollowing = followFailures(dataDir, write);
  try {
    while (!signal.aborted) {
      up = spawnService({ script: MAIN, args: ["up", ...flags], env: process.env }, FOREGROUND);
      const ended = once(up, "exit").then(() => "ended" as const);
      const why = await Promise.race([ended, changes.next(), whenAborted(signal)]);
      if (why === "ended" && !signal.aborted) {
        write(`Everything is stopped. It starts again when a file in ${teamsDir} changes.`);
        await Promise.race([changes.next(), whenAborted(signal)]);
      } else {
        up.kill("SIGTERM");
        await ended;
      }
      if (!signal.aborted) write("A file of the teams has changed: starting again.");
    }
  } finally {
    changes.close();
    endFollowing();
    release();
  }
}

/** Watches a folder and what is below it. */
function watchTeams(folder: string): { next(): Promise<"changed">; close(): void } {
  let changed = Promise.withResolvers<"changed">();
  const watcher = watch(folder, { recursive: true }, (_event, path) => {
    if (path !== null && !IGNORED.test(path)) changed.resolve("changed");
  });
  return {
    next: async () => {
      const found = await changed.promise;
      await sleep(SETTLE_MS);
      changed = Promise.withResolvers();
      return found;
    },
    close: () => watcher.close(),
  };
}

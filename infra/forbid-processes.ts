import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

/**
 * Setup of the projects `unit` and `redis`: starting a process throws. Catches tests that reach a process in a way
 * that `sortTestFiles` cannot see in their imports.
 */
const STARTERS = ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"] as const;

for (const name of STARTERS)
  Object.defineProperty(childProcess, name, {
    value: () => {
      throw new Error(
        `This test starts a process (${name}) without importing node:child_process where infra/test-projects.ts ` +
          "sees it: import it statically, so that the test joins the system project.",
      );
    },
  });
syncBuiltinESMExports();

import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

/** Makes starting a process throw in `unit` and `redis`: imports alone do not show every test that does it. */
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

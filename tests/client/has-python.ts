import { spawnSync } from "node:child_process";

const version = spawnSync("python3", ["-c", "import sys; print(sys.version_info >= (3, 11))"], {
  encoding: "utf8",
});

/** True where the generated client cannot run; the tests are then skipped, for the reason `NEEDED`. */
export const hasNoPython = version.status !== 0 || version.stdout.trim() !== "True";

export const NEEDED = "python3 of version 3.11 or newer is not installed";

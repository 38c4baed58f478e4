// Run as a process of its own by tests that kill it: it watches over a command that would never end.
import { writeFileSync } from "node:fs";
import { runSandboxed, setCodeIsolation } from "../run-sandboxed.ts";
import { sandboxed } from "./sandboxed.ts";

const [, , isolation = "", pidFile = "", script = ""] = process.argv;
setCodeIsolation(isolation === "off" ? "off" : "require");
await runSandboxed(
  sandboxed(script, {
    bounds: { timeMs: 600_000 },
    onGroup: async (pid) => writeFileSync(pidFile, String(pid)),
  }),
);

import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runTool } from "../redis/run-tool.ts";

const FOLDER = join(import.meta.dirname, "tools");
const INSTALL_TIMEOUT_MS = 600_000;

/** Installs what `tools/package-lock.json` says, if it is not there; runs no script. @throws {Error} npm failed. */
export async function installTools(): Promise<void> {
  const lock = createHash("sha256")
    .update(readFileSync(join(FOLDER, "package-lock.json")))
    .digest("hex");
  const stamp = join(FOLDER, "node_modules/.suture-tools");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  const { isOk, output } = await runTool({
    command: "npm",
    args: ["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
    cwd: FOLDER,
    timeoutMs: INSTALL_TIMEOUT_MS,
  });
  if (!isOk) throw new Error(`The tools of the package are not installed: ${output.slice(-2000)}`);
  writeFileSync(stamp, lock);
}

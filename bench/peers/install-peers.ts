import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runTool } from "../../infra/redis/run-tool.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const INSTALL_TIMEOUT_MS = 600_000;

/**
 * Installs the peers' packages if they are not there. They run no scripts of their own.
 *
 * @returns what to do by hand, where that did not work; null if all is well.
 */
export async function installPeers(say: (line: string) => void): Promise<string | null> {
  if (existsSync(`${FOLDER}node_modules/.package-lock.json`)) return null;
  say("peers: installing what bench/peers/package-lock.json says (once, some 250 MB)");
  const { isOk } = await runTool({
    command: "npm",
    args: ["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
    cwd: FOLDER,
    timeoutMs: INSTALL_TIMEOUT_MS,
  });
  return isOk
    ? null
    : "their packages are not installed: run `npm ci --ignore-scripts` in bench/peers while online";
}

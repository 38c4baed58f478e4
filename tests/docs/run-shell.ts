import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Of one block, in ms. */
const TIMEOUT_MS = 120_000;

/** Runs a block in an empty folder, with the repository's own `suture` behind `npx suture`. */
export function runShell(code: string): { readonly status: number | null; readonly stderr: string } {
  const folder = mkdtempSync(join(tmpdir(), "suture-docs-"));
  const suture = `npx() { [ "$1" = suture ] || return 127; shift; "$NODE" --disable-sigusr1 "$MAIN" "$@"; }`;
  const env = { ...process.env, NODE: process.execPath, MAIN: join(process.cwd(), "services/cli/main.ts") };
  try {
    const options = { cwd: folder, env, encoding: "utf8", timeout: TIMEOUT_MS } as const;
    return spawnSync("bash", ["-eu", "-c", `${suture}\n${code}`], options);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

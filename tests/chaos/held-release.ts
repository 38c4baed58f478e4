import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROJECT_DIR = fileURLToPath(new URL("../../", import.meta.url));
const PAGE = "docs/operating/upgrades.md";
const INSTALL_TIMEOUT_MS = 600_000;

/** Returns the commit that `docs/operating/upgrades.md` names: later releases must work beside it. */
export function readHeldCommit(): string {
  const named = /commit `([0-9a-f]{40})`/.exec(readFileSync(join(PROJECT_DIR, PAGE), "utf8"))?.[1];
  if (named === undefined) throw new Error(`${PAGE} names no commit`);
  return named;
}

/** Puts the tree of a commit with its dependencies into a folder. @throws {Error} This clone lacks the commit. */
export function checkOutRelease(commit: string, folder: string): void {
  const isHere =
    spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: PROJECT_DIR }).status === 0;
  if (!isHere)
    throw new Error(
      `This clone does not have commit ${commit}, the release to upgrade from. Nothing was rehearsed. ` +
        "Get it with: git fetch --unshallow",
    );
  mkdirSync(folder, { recursive: true });
  run("bash", ["-o", "pipefail", "-c", `git archive ${commit} | tar -x -C "$1"`, "-", folder], PROJECT_DIR);
  if (hasDependenciesOf(folder)) symlinkSync(join(PROJECT_DIR, "node_modules"), join(folder, "node_modules"));
  else run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], folder);
}

/** Returns true where every package that the release's lock names is in this project's lock, in the same version. */
function hasDependenciesOf(folder: string): boolean {
  const [own, theirs] = [PROJECT_DIR, folder].map(readLock);
  return Object.entries(theirs ?? {}).every(([path, { version }]) => own?.[path]?.version === version);
}

function readLock(folder: string): Readonly<Record<string, { readonly version?: string }>> {
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  // The project itself.
  const { "": _self, ...others } = packages;
  return others;
}

function run(command: string, args: readonly string[], cwd: string): void {
  const done = spawnSync(command, args, { cwd, encoding: "utf8", timeout: INSTALL_TIMEOUT_MS });
  if (done.status !== 0) throw new Error(`${command} ${args.join(" ")}: ${done.stderr}`);
}

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Unpacks the tree of each release that the CHANGELOG names and git has a tag of (`v0.2.0`), newest first. A release
 * without a tag, or from before there was a docs folder, is left out.
 */
export function unpackReleases(
  root: string,
  into: string,
): { readonly name: string; readonly tree: string }[] {
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const names = [...changelog.matchAll(/^## (\d+\.\d+\.\d+) /gm)].map(([, name = ""]) => name);
  const tags = new Set(git(root, ["tag", "--list", "v*"]).toString().split("\n"));
  rmSync(into, { recursive: true, force: true });
  return names
    .filter((name) => tags.has(`v${name}`))
    .map((name) => {
      const tree = join(into, name);
      mkdirSync(tree, { recursive: true });
      execFileSync("tar", ["-x", "-C", tree], { input: git(root, ["archive", `v${name}`]) });
      return { name, tree };
    });
}

function git(root: string, args: readonly string[]): Buffer {
  return execFileSync("git", args, { cwd: root, maxBuffer: 1 << 30 });
}

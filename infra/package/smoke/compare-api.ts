import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * Compares the declarations of each entry point, and those that they share, with their reports in the repository, so
 * that no change of what others build on goes unseen. Comments count for nothing.
 *
 * @throws {Error} One differs.
 */
export function compareApi(
  root: string,
  { built, isUpdating }: { readonly built: string; readonly isUpdating: boolean },
): void {
  const reports = join(root, "infra/package/api");
  if (isUpdating) for (const old of globSync("*.golden.txt", { cwd: reports })) rmSync(join(reports, old));
  for (const path of globSync("types/**/*.d.ts", { cwd: built })) {
    const name = basename(path, ".d.ts");
    const report = join(reports, `${name}.golden.txt`);
    const now = withoutComments(readFileSync(join(built, path), "utf8"));
    if (isUpdating) {
      writeFileSync(report, now);
      continue;
    }
    const before = existsSync(report) ? readFileSync(report, "utf8").split("\n") : [];
    const line = now.split("\n").findIndex((one, index) => one !== before[index]);
    if (line === -1 && now.split("\n").length === before.length) continue;
    throw new Error(
      `The API of ${name} is not what ${report} says, from line ${line + 1}:\n` +
        `- ${before[line] ?? ""}\n+ ${now.split("\n")[line] ?? ""}\n` +
        "Where that is meant, run `npm run package:smoke -- --update` and say in CHANGELOG.md what moves.",
    );
  }
}

function withoutComments(declarations: string): string {
  return declarations.replaceAll(/\/\*\*(?:(?!\*\/)[^])*\*\/\n?/g, "").replaceAll(/^\s*\n/gm, "");
}

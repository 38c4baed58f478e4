import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENTRIES, fileOf } from "../entries.ts";

/**
 * Compares the declarations of each entry point with its report in the repository, so that no change of what others
 * build on goes unseen. Comments count for nothing.
 *
 * @throws {Error} One differs.
 */
export function compareApi(
  root: string,
  { built, isUpdating }: { readonly built: string; readonly isUpdating: boolean },
): void {
  for (const name of Object.keys(ENTRIES)) {
    const report = join(root, `infra/package/api/${fileOf(name)}.golden.txt`);
    const now = withoutComments(readFileSync(join(built, `types/${fileOf(name)}.d.ts`), "utf8"));
    if (isUpdating) {
      writeFileSync(report, now);
      continue;
    }
    const before = readFileSync(report, "utf8").split("\n");
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

// Tries the package as an outside project would: `npm run package:smoke`. With `--update` it writes the API reports.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { buildPackage } from "../build-package.ts";
import { installTools } from "../install-tools.ts";
import { compareApi, measureEntries } from "./check-built.ts";
import { openOutside, run } from "./open-outside.ts";
import { startNewProject } from "./start-new-project.ts";

const root = join(import.meta.dirname, "../../..");
const folder = join(root, ".suture/package");
const built = join(folder, "suture");
const startedMs = performance.now();
const say = (line: string): void =>
  void process.stdout.write(
    `${((performance.now() - startedMs) / 1000).toFixed(0).padStart(3)} s  ${line}\n`,
  );

await installTools();
await buildPackage(root, built);
const tarball = join(folder, run("npm", ["pack", "./suture", "--silent"], { cwd: folder }).trim());
say(`packed: ${tarball}`);
await measureEntries(built, say);
compareApi(root, { built, isUpdating: process.argv.includes("--update") });
say("API reports: as in infra/package/api");
run(process.execPath, [join(root, "infra/package/tools/judge.mjs"), built, tarball], { cwd: root });
say("publint and arethetypeswrong: nothing to say");
const outside = openOutside(root, tarball, say);
try {
  await startNewProject(root, outside, say);
} finally {
  rmSync(outside, { recursive: true, force: true });
}

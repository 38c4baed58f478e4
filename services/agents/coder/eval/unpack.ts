// Writes the checkouts of the labelled cases, and the samples, below a folder:
// `node services/agents/coder/eval/unpack.ts FOLDER`. Then `SUTURE_CHECKOUTS=FOLDER npx suture eval coder` measures a
// model on `cases.jsonl`. Files below `hidden/` are tests for people to hold a fix against; they are not written.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ARCHIVES = new URL("checkouts/", import.meta.url);

const [, , folder] = process.argv;
if (folder === undefined) {
  process.stderr.write("Name the folder to write the checkouts to.\n");
  process.exit(2);
}
cpSync(new URL("../samples/checkouts", import.meta.url), folder, { recursive: true });
for (const name of readdirSync(ARCHIVES)) {
  // Fields of the case, then each file after a line `-- path --`.
  const [, ...parts] = readFileSync(new URL(name, ARCHIVES), "utf8").split(/^-- (.+) --\n/m);
  for (let index = 0; index < parts.length; index += 2) {
    const path = parts[index] ?? "";
    if (path.startsWith("hidden/")) continue;
    const place = join(folder, name.replace(/\.txtar$/, ""), path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, parts[index + 1] ?? "");
  }
}
process.stdout.write(`Next: SUTURE_CHECKOUTS=${folder} npx suture eval coder --within 600\n`);

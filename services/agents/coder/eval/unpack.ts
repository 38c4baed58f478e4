// Writes the checkouts of the labelled set, and the samples, below a folder: `node services/agents/coder/eval/unpack.ts
// FOLDER`. Then `SUTURE_CHECKOUTS=FOLDER npx suture eval coder` measures the team on `cases.jsonl`.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { labelledSet, writeFiles } from "./labelled-set.ts";

const [, , folder] = process.argv;
if (folder === undefined) {
  process.stderr.write("Name the folder to write the checkouts to.\n");
  process.exit(2);
}
cpSync(new URL("../samples/checkouts", import.meta.url), folder, { recursive: true });
const all = labelledSet();
for (const one of all) writeFiles(join(folder, one.name), one.files);
process.stdout.write(`${all.length} checkouts. Next: SUTURE_CHECKOUTS=${folder} npx suture eval coder\n`);

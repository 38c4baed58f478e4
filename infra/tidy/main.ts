import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { RULES } from "./rules.ts";
import { readSourceFiles } from "./source-file.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const files = readSourceFiles(root);
const findings = RULES.flatMap((rule) => rule(files));

for (const { path, line, message } of findings)
  console.error(`${path}${line === 0 ? "" : `:${line}`}: ${message}`);
console.error(`tidy: ${files.length} files, ${findings.length} findings`);
process.exitCode = findings.length === 0 ? 0 : 1;

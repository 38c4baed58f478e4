// Runs in the sandbox: starts a command there and, once it has ended, writes its report to file descriptor 3, which
// the command does not inherit, and ends as it did. A report is read here and not outside: a link in its place
// leads nowhere else.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const RESULT = 3;
const [, , reportFile = "", program = "", ...args] = process.argv;

const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
process.exitCode = await new Promise<number>((resolve) => {
  child.once("error", (error) => {
    process.stderr.write(`${error.message}\n`);
    resolve(1);
  });
  child.once("close", (code) => resolve(code ?? 1));
});
try {
  writeFileSync(RESULT, readFileSync(reportFile, "utf8"));
} catch {
  // Without a report no test ran.
}

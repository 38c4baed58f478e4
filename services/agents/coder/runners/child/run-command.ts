// Runs in the sandbox: starts a command there and, once it has ended, writes its report to file descriptor 3, which the
// command does not inherit. A report is read here and not outside: a link in its place leads nowhere else.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const RESULT = 3;
const [, , reportFile = "", program = "", ...args] = process.argv;

const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
const exitCode = await new Promise<number | null>((resolve) => {
  child.once("error", (error) => {
    process.stderr.write(`${error.message}\n`);
    resolve(null);
  });
  child.once("close", resolve);
});

function readReport(): string {
  try {
    return readFileSync(reportFile, "utf8");
  } catch {
    return "";
  }
}

writeFileSync(RESULT, JSON.stringify({ exitCode, report: readReport() }));

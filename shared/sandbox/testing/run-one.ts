// Run as a process of its own, by tests that need another user or descriptors that leak: runs the script that standard
// input describes, and writes how it ended to standard output.
import { readFileSync } from "node:fs";
import { runSandboxed } from "../run-sandboxed.ts";
import { sandboxed } from "./sandboxed.ts";
import type { TestCommand } from "./sandboxed.ts";

interface Described extends Pick<TestCommand, "visible" | "folders" | "bounds"> {
  readonly script: string;
}

// Written by `attack.ts`.
const { script, ...more } = JSON.parse(readFileSync(0, "utf8")) as Described;
process.stdout.write(JSON.stringify(await runSandboxed(sandboxed(script, more))));

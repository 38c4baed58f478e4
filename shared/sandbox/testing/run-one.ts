// Run as a process by tests that need another user or descriptors that leak: runs standard input's script.
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

import { spawn } from "node:child_process";
import { accessSync, chownSync, constants, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { SandboxedEnd } from "../command.ts";
import { findTool } from "../in-namespaces.ts";
import { runSandboxed } from "../run-sandboxed.ts";
import { sandboxed } from "./sandboxed.ts";
import type { TestCommand } from "./sandboxed.ts";

const RUN_ONE = fileURLToPath(new URL("run-one.ts", import.meta.url));
const NOBODY = 65_534;

export type Attacker = "the user of this process" | "an unprivileged user";

/** Returns the users as whom isolation can be tried here: root can also be somebody else, who sees this checkout. */
export function attackers(): Attacker[] {
  const isRoot = process.getuid?.() === 0;
  return isRoot && isForAll(RUN_ONE) && isForAll(process.execPath)
    ? ["the user of this process", "an unprivileged user"]
    : ["the user of this process"];
}

type More = Pick<TestCommand, "visible" | "folders" | "bounds">;

/** Runs a script in isolation, as started by that user. */
export async function attack(as: Attacker, script: string, more: More = {}): Promise<SandboxedEnd> {
  if (as === "the user of this process") return runSandboxed(sandboxed(script, more));
  // Written by `run-one.ts`.
  return JSON.parse(await text(startAttack(as, script, more).stdout)) as SandboxedEnd;
}

/** Starts a process of that user which runs a script in isolation, and prints how it ended. */
export function startAttack(as: Attacker, script: string, more: More = {}) {
  const isSelf = as === "the user of this process";
  const { work = null } = more.folders ?? {};
  const given = work === null || isSelf ? [] : [work, ...readdirSync(work).map((name) => join(work, name))];
  for (const path of given) chownSync(path, NOBODY, NOBODY);
  const node = [process.execPath, RUN_ONE];
  const other = [findTool("setpriv"), `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
  const [command = "", ...args] = isSelf ? node : [...other, ...node];
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"], env: {} });
  child.stdin.end(JSON.stringify({ script, ...more }));
  return child;
}

function isForAll(file: string): boolean {
  const folders = file.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/") || "/");
  try {
    accessSync(file, constants.R_OK);
    return folders.every((path) => (statSync(path).mode & 0o005) !== 0);
  } catch {
    return false;
  }
}

import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { parseJson } from "./parse-json.ts";

const ASK_TIMEOUT_MS = 30_000;
/** Shared libraries of the system's programs. They hold no data. */
const LIBRARIES = ["/lib", "/lib64", "/usr/lib", "/usr/lib64"];
/** Programs that a command may start. */
const PROGRAMS = ["/bin", "/usr/bin"];

/** A program of this machine, with what it needs to see. */
export interface Tool {
  /** Absolute path. */
  readonly program: string;
  /** Readable files and folders. */
  readonly visible: readonly string[];
}

const run = promisify(execFile);

const ASK_PYTHON =
  "import json, sys, pytest; print(json.dumps([sys.executable, sys.base_prefix, sys.prefix, sys.path]))";
const pythonAnswer = z.tuple([z.string(), z.string(), z.string(), z.array(z.string())]);

let pytest: Promise<Tool | null> | null = null;

/** Finds a Python that has pytest. A missing one is looked for again. */
export async function findPytest(): Promise<Tool | null> {
  pytest ??= askPython();
  const found = await pytest;
  if (found === null) pytest = null;
  return found;
}

/** Asks the operator's Python, outside of any checkout and without the current folder. */
async function askPython(): Promise<Tool | null> {
  const asked = await run("python3", ["-I", "-c", ASK_PYTHON], { cwd: "/", timeout: ASK_TIMEOUT_MS }).catch(
    () => null,
  );
  const parsed = pythonAnswer.safeParse(parseJson(asked?.stdout ?? ""));
  if (!parsed.success) return null;
  const [program, base, prefix, path] = parsed.data;
  // The system's own prefix is the whole of /usr.
  const own = [base, prefix].filter((folder) => folder !== "/usr" && folder !== "/");
  return {
    program,
    visible: outermost([program, realpathSync(program), ...own, ...path, ...LIBRARIES]),
  };
}

/** Returns the Node that runs this process, which sees a folder of installed packages. */
export function nodeTool(modules: string | null): Tool {
  // Native modules of a tool load the system's libraries.
  const visible = outermost([...(modules === null ? [] : [modules]), ...LIBRARIES]);
  return { program: process.execPath, visible };
}

/** Finds a program that a task's command names. A path is no name. */
export function findProgram(name: string): Tool | null {
  if (name.includes("/") || name.startsWith(".")) return null;
  const program = PROGRAMS.map((folder) => join(folder, name)).find((path) => isExecutable(path));
  return program === undefined ? null : { program, visible: outermost([...PROGRAMS, ...LIBRARIES]) };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Drops what is missing and what lies in another folder of the list. */
function outermost(paths: readonly string[]): string[] {
  const all = [...new Set(paths)].filter((path) => isAbsolute(path) && existsSync(path));
  return all.filter((path) => !all.some((other) => path.startsWith(`${other}/`)));
}

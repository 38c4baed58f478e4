import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import type { RedisServer } from "../redis/obtain-redis-server.ts";

/** Working directory of the image. */
const WORKDIR = "/app";

/** What the steps of a Dockerfile leave behind. */
export interface Image {
  /** Folder that stands for its working directory. */
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Does in a folder what a Dockerfile does in the image: what it copies and nothing else (`.dockerignore` leaves out
 * tests), a link to the packages, what its programs of Node make, and its variables. It knows the instructions that our
 * Dockerfile uses.
 */
export function buildImage(root: string, dir: string): Image {
  const steps = readFileSync(join(root, "deploy/Dockerfile"), "utf8").split("\n");
  mkdirSync(dir, { recursive: true });
  for (const [, what = ""] of matches(steps, /^COPY (.+) \S+$/)) {
    for (const path of what.split(" ")) {
      cpSync(join(root, path), join(dir, path), {
        recursive: true,
        filter: (from) => !from.endsWith(".test.ts"),
      });
    }
  }
  symlinkSync(join(root, "node_modules"), join(dir, "node_modules"));
  const inDir = (word: string): string =>
    word.startsWith(`${WORKDIR}/`) ? `${dir}${word.slice(WORKDIR.length)}` : word;
  for (const [, line = ""] of matches(steps, /^RUN node (.+)$/))
    execFileSync(process.execPath, line.split(" ").map(inDir), {
      cwd: dir,
      env: { PATH: process.env["PATH"] ?? "" },
    });
  const env = matches(steps, /^ENV ([A-Z_]+)=(\S+)$/).map(
    ([, name = "", value = ""]) => [name, inDir(value)] as const,
  );
  return { dir, env: Object.fromEntries(env) };
}

function matches(lines: readonly string[], pattern: RegExp): RegExpExecArray[] {
  return lines.map((line) => pattern.exec(line)).filter((match) => match !== null);
}

/** Copies a server, which may be in a person's own cache, to where the user of its container may start it. */
export function copyServer({ command, env }: RedisServer, folder: string): RedisServer {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  const copy = join(folder, basename(command));
  copyFileSync(command, copy);
  chmodSync(copy, 0o755);
  const libraries = (env["LD_LIBRARY_PATH"] ?? "").split(delimiter).filter((path) => existsSync(path));
  const copied = libraries.map((path, index) => {
    const to = join(folder, `libraries-${index}`);
    cpSync(path, to, { recursive: true, verbatimSymlinks: true });
    return to;
  });
  return { command: copy, env: copied.length === 0 ? env : { LD_LIBRARY_PATH: copied.join(delimiter) } };
}

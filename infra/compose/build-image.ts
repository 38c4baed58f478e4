import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { z } from "zod";
import type { RedisServer } from "../redis/obtain-redis-server.ts";

/** Working directory of the image. */
const WORKDIR = "/app";

const lockSchema = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({
      dev: z.boolean().default(false),
      devOptional: z.boolean().default(false),
      optional: z.boolean().default(false),
    }),
  ),
});

/** The result of the steps of a Dockerfile. */
export interface Image {
  /** Folder that stands for its working directory. */
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
}

interface BuildOptions {
  /** Default: that of this repository. */
  readonly dockerfile?: string;
  /**
   * `copied`, the default: as `npm ci` would leave them, from the root's own. `installed`: by the Dockerfile's own
   * `npm ci`. `linked` leads to the packages of the root, with those for development: for who asks nothing of the
   * image, and would wait for the copy.
   */
  readonly packages?: "copied" | "installed" | "linked";
}

/**
 * Does in a folder what a Dockerfile does in the image: what it copies and nothing else (`.dockerignore` leaves out
 * tests), the packages without those for development, what its programs of Node make, and its variables. It knows the
 * instructions that our Dockerfiles use.
 */
export function buildImage(root: string, dir: string, options: BuildOptions = {}): Image {
  const { dockerfile = "deploy/Dockerfile", packages = "copied" } = options;
  const lines = readFileSync(join(root, dockerfile), "utf8").split("\n");
  // An earlier stage builds it in the image; here set-up has.
  const steps = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")));
  mkdirSync(dir, { recursive: true });
  for (const [, what = ""] of matches(steps, /^COPY (.+) \S+$/)) {
    for (const word of what.split(" ").filter((one) => !one.startsWith("--from="))) {
      const path = word.replace(`${WORKDIR}/`, "");
      cpSync(join(root, path), join(dir, path), {
        recursive: true,
        filter: (from) => !from.endsWith(".test.ts"),
      });
    }
  }
  if (packages === "copied") copyPackages(root, dir);
  else if (packages === "installed") install(steps, dir);
  else symlinkSync(join(root, "node_modules"), join(dir, "node_modules"));
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

/** Runs the step's `npm ci`, and not what empties the cache: that is this machine's own. */
function install(steps: readonly string[], dir: string): void {
  for (const [, words = ""] of matches(steps, /^RUN npm (ci(?: --[a-z=-]+)*)/))
    execFileSync("npm", [...words.split(" "), "--prefer-offline", "--no-audit", "--no-fund"], {
      cwd: dir,
      stdio: "pipe",
    });
}

/** As `npm ci --omit=dev --omit=optional` leaves them: what only development needs is not there to be imported. */
function copyPackages(root: string, dir: string): void {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
  for (const [path, { dev, devOptional, optional }] of Object.entries(packages)) {
    if (dev || devOptional || optional || !/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path)) continue;
    // One for another platform is not installed here.
    if (!existsSync(join(root, path))) continue;
    // A copy, not a link: what may read the application's folder alone would not find a link's end.
    cpSync(join(root, path), join(dir, path), { recursive: true, verbatimSymlinks: true });
  }
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

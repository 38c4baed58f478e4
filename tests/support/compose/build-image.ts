import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

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

/** What the steps of a Dockerfile leave behind. */
export interface Image {
  /** Folder that stands for its working directory. */
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Does in a folder what the Dockerfile does in the image: what it copies and nothing else (`.dockerignore` leaves out
 * tests), the packages without those for development, what its programs of Node make, and its variables. It knows the
 * instructions that our Dockerfile uses.
 *
 * @param packages - `linked` leads to the packages of this checkout, with those for development: for who asks nothing
 *   of the image, and would wait for the copy.
 */
export function buildImage(root: string, dir: string, packages: "copied" | "linked" = "copied"): Image {
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
  if (packages === "copied") copyPackages(root, dir);
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

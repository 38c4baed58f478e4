import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";

const lockSchema = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({ dev: z.boolean().default(false), devOptional: z.boolean().default(false) }),
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
 * tests), the packages without those for development, and its variables. It knows the instructions that our Dockerfile
 * uses.
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
  linkPackages(root, dir);
  const env = matches(steps, /^ENV ([A-Z_]+)=(\S+)$/).map(
    ([, name = "", value = ""]) => [name, value] as const,
  );
  return { dir, env: Object.fromEntries(env) };
}

/** As `npm ci --omit=dev` leaves them: packages that only development needs are not there to be imported. */
function linkPackages(root: string, dir: string): void {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    if (dev || devOptional || !/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path)) continue;
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    // One for another platform is not installed here; its link leads nowhere, as in the image.
    symlinkSync(join(root, path), join(dir, path));
  }
}

function matches(lines: readonly string[], pattern: RegExp): RegExpExecArray[] {
  return lines.map((line) => pattern.exec(line)).filter((match) => match !== null);
}

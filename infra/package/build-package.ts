import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeRepair } from "../packages/build-repair.ts";
import { createManifest, packagesIn } from "./manifest.ts";

/** The code that ships, and what it reads; what else it imports, `tsc` follows. */
const SOURCES = ["{services,shared,infra/package/entries,infra/redis}/**/*", "infra/lock-folder.{mjs,d.mts}"];
/** Code and assets of the sample projects, which are data to the teams and not ours to compile. */
const SAMPLES = /(?:^|\/)samples\//;
/** What only this repository's own tests and pages need. */
const LEFT_OUT = /(?:^|\/)README\.md$|\.golden(?:\.|$)|\.test\.[jt]s$|^services\/(?:.*\/)?testing\//;

/**
 * Builds the package: modules and declarations by `tsc` in the repository's own layout, the assets beside them, and a
 * manifest.
 *
 * @param into - A folder below the root; made anew.
 * @throws {Error} The code does not compile.
 */
export async function buildPackage(root: string, into: string): Promise<void> {
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const files = globSync(SOURCES, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, "/").length))
    .filter((path) => !LEFT_OUT.test(path));
  compile(
    root,
    into,
    files.filter((path) => /(?<!\.d)\.ts$/.test(path) && !SAMPLES.test(path)),
  );
  for (const path of files.filter((one) => !one.endsWith(".ts") || SAMPLES.test(one)))
    cpSync(join(root, path), join(into, path));
  await writeRepair(into);
  for (const name of ["LICENSE", "README.md", "CHANGELOG.md"]) cpSync(join(root, name), join(into, name));
  cpSync(join(root, "infra/package/static/suture.js"), join(into, "suture.js"));
  chmodSync(join(into, "suture.js"), 0o755);
  const modules = globSync("{services,shared,infra}/**/*.js", {
    cwd: into,
    exclude: (path) => path === "samples" || path === "web",
  });
  const imported = new Set(
    modules.flatMap((path) => packagesIn(path, readFileSync(join(into, path), "utf8"))),
  );
  writeFileSync(join(into, "package.json"), `${JSON.stringify(createManifest(root, imported), null, 2)}\n`);
}

function compile(root: string, into: string, files: readonly string[]): void {
  const project = join(into, "tsconfig.json");
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    allowImportingTsExtensions: false,
    rewriteRelativeImportExtensions: true,
    rootDir: root,
    outDir: into,
    typeRoots: [join(root, "node_modules/@types")],
  };
  const options = {
    extends: join(root, "tsconfig.json"),
    compilerOptions,
    files: files.map((path) => join(root, path)),
  };
  mkdirSync(dirname(project), { recursive: true });
  writeFileSync(project, JSON.stringify({ ...options, include: [] }));
  const tsc = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", project], {
    encoding: "utf8",
  });
  rmSync(project);
  if (tsc.status !== 0) throw new Error(`tsc: ${tsc.stdout.slice(0, 4000)}`);
}

import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { rolldown } from "rolldown";
import { z } from "zod";
import { ENTRIES, fileOf } from "./entries.ts";
import { importedFrom, packageOf, trimPackages, PEER_RANGES, PEERS, TRIMMED } from "./trim-packages.ts";
import type { Entry } from "./entries.ts";

/** The code that ships, and what it reads; what else it imports, `tsc` follows. */
const SOURCES = [
  "{services,shared,infra/package/entries,infra/redis}/**/*",
  "infra/{lock-folder.{mjs,d.mts},probe.sh}",
  "deploy/{prometheus/rules.yml,grafana/suture.json,sandbox-seccomp.json}",
  // Globs match names that begin with a dot only where the pattern has the dot.
  "services/cli/templates/**/.*",
  "services/cli/templates/project/.github/**/*",
];
/** Code and assets of the sample projects, which are data to the teams and not ours to compile. */
const SAMPLES = /(?:^|\/)samples\//;
/** Files that do not ship: they serve this repository's own tests, measurements and pages. */
const LEFT_OUT =
  /(?:^|\/)README\.md$|^services\/console\/app\/|\.golden(?:\.|$)|\.test\.[jt]s$|^(?:services|shared)\/(?:.*\/)?testing\/(?!system\/)|^services\/agents\/(?:[^/]+\/eval|documents\/samples)\//;

/**
 * Builds the package: modules by `tsc` with their assets, one declaration file an entry point, and a manifest.
 * @param into - A folder below the root; made anew. @throws {Error} The code does not compile.
 */
export async function buildPackage(root: string, into: string): Promise<void> {
  const declarations = `${into}.types`;
  for (const folder of [into, declarations]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const files = globSync(SOURCES, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, "/").length))
    .filter((path) => !LEFT_OUT.test(path));
  const isModule = (path: string): boolean => /(?<!\.d)\.ts$/.test(path) && !SAMPLES.test(path);
  compile(root, { into, declarations }, files.filter(isModule));
  for (const path of files.filter((one) => !one.endsWith(".ts") || SAMPLES.test(one)))
    cpSync(join(root, path), join(into, path));
  for (const [name, { source, isBundled }] of Object.entries(ENTRIES))
    if (isBundled === true) await bundleModule(source, join(into, `${fileOf(name)}.js`));
  rollTypes(root, { into, declarations });
  for (const name of ["LICENSE", "README.md", "CHANGELOG.md"]) cpSync(join(root, name), join(into, name));
  for (const name of globSync("*.js", { cwd: join(root, "infra/package/static") })) {
    cpSync(join(root, "infra/package/static", name), join(into, name));
    chmodSync(join(into, name), 0o755);
  }
  const modules = builtModules(into);
  const imported = [...new Set(modules.flatMap((path) => importedFrom(path, readFileSync(path, "utf8"))))];
  for (const path of modules) writeFileSync(path, withoutComments(path, readFileSync(path, "utf8")));
  await trimPackages(root, into, imported);
  const manifest = createManifest(root, new Set(imported.map(packageOf)));
  writeFileSync(join(into, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Returns the files of the built code, without what is data to it. */
function builtModules(into: string): string[] {
  const exclude = (path: string): boolean => ["samples", "web", "built"].includes(path);
  return globSync("{services,shared,infra}/**/*.js", { cwd: into, exclude }).map((path) => join(into, path));
}

/** Returns a module's code alone, each comment gone with its line: its documentation is in the declarations. */
function withoutComments(path: string, code: string): string {
  return parseSync(path, code).comments.reduceRight((text, { start, end }) => {
    const before = text.slice(0, start).replace(/[ \t]+$/, "");
    const after = text.slice(end);
    return before.endsWith("\n") ? before + after.replace(/^\s*\n/, "") : before + after;
  }, code);
}

interface Folders {
  readonly into: string;
  readonly declarations: string;
}

function compile(root: string, { into, declarations }: Folders, files: readonly string[]): void {
  const project = join(into, "tsconfig.json");
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    allowImportingTsExtensions: false,
    rewriteRelativeImportExtensions: true,
    rootDir: root,
    outDir: into,
    declarationDir: declarations,
    typeRoots: [join(root, "node_modules/@types")],
  };
  const options = {
    extends: join(root, "tsconfig.json"),
    compilerOptions,
    files: files.map((path) => join(root, path)),
  };
  writeFileSync(project, JSON.stringify({ ...options, include: [] }));
  run("tsc", [join(root, "node_modules/typescript/bin/tsc"), "-p", project]);
  rmSync(project);
}

/** Writes `types/<entry>.d.ts`, and what these share below `types/shared`. */
function rollTypes(root: string, { into, declarations }: Folders): void {
  // By this the declarations find each other's rooms.
  writeFileSync(join(declarations, "package.json"), '{"imports":{"#shared/*":"./shared/*/index.js"}}');
  const entries = Object.fromEntries(
    Object.entries(ENTRIES).map(([name, { source }]) => [
      fileOf(name),
      join(declarations, source.replace(/\.ts$/, ".d.ts")),
    ]),
  );
  run("declarations", [
    join(root, "infra/package/tools/roll-types.mjs"),
    JSON.stringify({ folder: join(into, "types"), entries }),
  ]);
  rmSync(declarations, { recursive: true });
}

function run(what: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${what}: ${`${stdout}${stderr}`.slice(0, 4000)}`);
}

/** Writes a source and all that it imports as one module, for Node, workers and browsers. */
export async function bundleModule(source: string, file: string): Promise<void> {
  const input = join(import.meta.dirname, "../..", source);
  const bundle = await rolldown({ input, platform: "browser" });
  await bundle.write({ file, format: "esm", minify: true, comments: false });
  await bundle.close();
}

const versions = z.record(z.string(), z.string());
const sourceSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  engines: versions,
  dependencies: versions,
  optionalDependencies: versions,
  devDependencies: versions,
});

/** Packages that only some features load, when they are used. A project that wants the feature installs them. */
const ON_DEMAND = [
  // A2A by gRPC.
  "@bufbuild/protobuf",
  "@grpc/grpc-js",
  // The page that shows the API's description.
  "@fastify/swagger",
  "@fastify/swagger-ui",
  // Servers of the Model Context Protocol.
  "@modelcontextprotocol/client",
  // The Nest module of a ward on a BullMQ queue.
  "@nestjs/bullmq",
  "@nestjs/common",
  // Traces.
  "@opentelemetry/auto-instrumentations-node",
  "@opentelemetry/exporter-trace-otlp-http",
  "@opentelemetry/sdk-node",
  // Readers of documents.
  "@tesseract.js-data/eng",
  "fast-png",
  "jpeg-js",
  "tesseract.js-core",
  "unpdf",
  // The archive.
  "pg",
  // Mail, in and out.
  "imapflow",
  "nodemailer",
  "postal-mime",
];

/** Returns the package's manifest. @param imported - Packages. @throws {Error} One is not declared here. */
function createManifest(root: string, imported: ReadonlySet<string>): Record<string, unknown> {
  const source = sourceSchema.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const { name, version, description, license, engines } = source;
  const declared = { ...source.devDependencies, ...source.optionalDependencies, ...source.dependencies };
  const pick = (names: readonly string[], range = ""): Record<string, string> =>
    Object.fromEntries(
      names.toSorted().map((one) => {
        const found = declared[one];
        if (found === undefined)
          throw new Error(`The built code imports ${one}, which package.json does not declare.`);
        return [one, `${range}${found}`];
      }),
    );
  const needed = [...imported].filter((one) => !PEERS.includes(one) && !ON_DEMAND.includes(one));
  return {
    name,
    version,
    description,
    license,
    type: "module",
    engines,
    bin: { suture: "./suture.js" },
    exports: {
      ...Object.fromEntries(Object.entries(ENTRIES).map(([key, entry]) => [key, conditions(key, entry)])),
      "./package.json": "./package.json",
    },
    imports: { "#shared/*": "./shared/*/index.js" },
    dependencies: pick(needed),
    bundleDependencies: TRIMMED,
    peerDependencies: { ...pick([...PEERS, ...ON_DEMAND], "^"), ...PEER_RANGES },
    peerDependenciesMeta: Object.fromEntries(ON_DEMAND.map((one) => [one, { optional: true }])),
  };
}

function conditions(name: string, { source, isBundled }: Entry): Record<string, string> {
  const file = fileOf(name);
  return {
    types: `./types/${file}.d.ts`,
    default: isBundled === true ? `./${file}.js` : `./${source.replace(/\.ts$/, ".js")}`,
  };
}

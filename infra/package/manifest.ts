import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { z } from "zod";

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

/** Packages that a project brings itself, so that its objects and ours are of one copy. */
const PEERS = ["zod", "bullmq"];
/** Heavy packages that only some features load, when they are used. A project that wants the feature installs them. */
const ON_DEMAND = [
  "@opentelemetry/auto-instrumentations-node",
  "@opentelemetry/exporter-trace-otlp-http",
  "@opentelemetry/sdk-node",
  "@tesseract.js-data/eng",
  "tesseract.js-core",
  "unpdf",
  "vitest",
];

const ENTRIES = { ".": "index", "./client": "client", "./testing": "testing" };

/**
 * Returns the package's manifest: what the repository's says, with the packages that the built code imports.
 *
 * @param imported - Names of packages.
 * @throws {Error} The code imports a package that the repository does not declare.
 */
export function createManifest(root: string, imported: ReadonlySet<string>): Record<string, unknown> {
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
  const entry = (path: string): Record<string, string> => ({
    types: `./infra/package/entries/${path}.d.ts`,
    default: `./infra/package/entries/${path}.js`,
  });
  return {
    name,
    version,
    description,
    license,
    type: "module",
    engines,
    bin: { suture: "./suture.js" },
    exports: {
      ...Object.fromEntries(Object.entries(ENTRIES).map(([key, path]) => [key, entry(path)])),
      "./repair": { types: "./repair.d.ts", default: "./repair.js" },
      "./package.json": "./package.json",
    },
    imports: { "#shared/*": "./shared/*/index.js" },
    dependencies: pick(needed),
    peerDependencies: pick([...PEERS, ...ON_DEMAND], "^"),
    peerDependenciesMeta: Object.fromEntries(ON_DEMAND.map((one) => [one, { optional: true }])),
  };
}

/** Returns the names of the packages that a module imports, at once or later. */
export function packagesIn(path: string, code: string): string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(path, code).module;
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map((entry) => entry.moduleRequest?.value ?? "")),
    ...dynamicImports.map(({ moduleRequest }) =>
      code.slice(moduleRequest.start, moduleRequest.end).replace(/^["']|["']$/g, ""),
    ),
  ]
    .filter((one) => /^@?[a-z][a-z0-9._/-]*$/.test(one) && !isBuiltin(one))
    .map((one) =>
      one
        .split("/")
        .slice(0, one.startsWith("@") ? 2 : 1)
        .join("/"),
    );
}

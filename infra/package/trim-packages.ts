import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { rolldown } from "rolldown";
import { z } from "zod";

/** Packages of which little is used: the tarball brings that part (`bundleDependencies`), as the whole is large. */
export const TRIMMED = [
  "@a2a-js/sdk",
  "@fastify/helmet",
  "@modelcontextprotocol/server",
  "commander",
  "diff",
  "gpt-tokenizer",
  "html-to-text",
  "openai",
  "openapi-fetch",
  "openapi-typescript",
  "yaml",
];

const manifestSchema = z.object({ name: z.string(), version: z.string(), license: z.string() });

/** Writes into the package's own `node_modules` what is imported of the trimmed packages. */
export async function trimPackages(root: string, into: string, imported: readonly string[]): Promise<void> {
  for (const name of TRIMMED) {
    const source = join(root, "node_modules", name);
    const folder = join(into, "node_modules", name);
    mkdirSync(folder, { recursive: true });
    const specifiers = imported.filter((one) => packageOf(one) === name);
    const exports = await bundle(root, specifiers, folder);
    const { version, license } = manifestSchema.parse(
      JSON.parse(readFileSync(join(source, "package.json"), "utf8")),
    );
    const manifest = { name, version, license, type: "module", exports };
    writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    for (const licence of globSync("LICEN[CS]E*", { cwd: source }))
      cpSync(join(source, licence), join(folder, licence));
  }
}

/** Bundles modules of one package together, so that a class is the same in all. Returns their `exports`. */
async function bundle(
  root: string,
  specifiers: readonly string[],
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  const fileOf = (specifier: string): string =>
    specifier.slice(packageOf(specifier).length + 1).replaceAll("/", "-") || "index";
  const bundled = await rolldown({
    input: Object.fromEntries(specifiers.map((specifier) => [fileOf(specifier), specifier])),
    cwd: root,
    platform: "node",
    external: [...PEERS, ...PEERS.map((peer) => new RegExp(`^${peer}/`))],
  });
  // Licences of what it contains stay in the text.
  await bundled.write({
    dir: folder,
    entryFileNames: "[name].js",
    format: "esm",
    minify: true,
    keepNames: true,
    comments: { legal: true },
  });
  await bundled.close();
  return Object.fromEntries(
    specifiers.map((specifier) => [
      `.${specifier.slice(packageOf(specifier).length)}`,
      `./${fileOf(specifier)}.js`,
    ]),
  );
}

/** Returns what a module imports from packages, at once or later: `pg`, `gpt-tokenizer/encoding/o200k_base`. */
export function importedFrom(path: string, code: string): string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(path, code).module;
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map((entry) => entry.moduleRequest?.value ?? "")),
    ...dynamicImports.map(({ moduleRequest }) =>
      code.slice(moduleRequest.start, moduleRequest.end).replace(/^["']|["']$/g, ""),
    ),
  ].filter((one) => /^@?[a-z][a-z0-9._/-]*$/.test(one) && !isBuiltin(one));
}

/** Returns the name of the package that a specifier is of. */
export function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Packages that a project brings itself, so that its objects and ours are of one copy. */
export const PEERS: readonly string[] = ["zod", "bullmq"];

/** Ranges of peers that `npm run bullmq-matrix` has shown to work. Agents need BullMQ 6.7, and say so. */
export const PEER_RANGES: Readonly<Record<string, string>> = {
  bullmq: "^5.80.0 || ^6.0.0",
  "@nestjs/bullmq": "^11.0.0 || ^12.0.0",
  "@nestjs/common": "^11.0.0 || ^12.0.0",
};

import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { z } from "zod";
import { packageOf } from "./imported-packages.ts";
import { PEERS } from "./peers.ts";

/**
 * Packages of which little is used. The tarball brings that part of them (`bundleDependencies`), since installed whole
 * they are larger than all else together.
 */
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

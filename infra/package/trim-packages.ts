import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { z } from "zod";
import { packageOf } from "./imported-packages.ts";

/**
 * Packages of which little is used. The tarball brings that part of them (`bundleDependencies`), since installed whole
 * they are larger than all else together.
 */
export const TRIMMED = [
  "@fastify/helmet",
  "acorn",
  "acorn-walk",
  "commander",
  "diff",
  "gpt-tokenizer",
  "html-to-text",
  "openai",
  "openapi-fetch",
  "openapi-typescript",
];

const manifestSchema = z.object({ name: z.string(), version: z.string(), license: z.string() });

/** Writes into the package's own `node_modules` what is imported of the trimmed packages, one module each. */
export async function trimPackages(root: string, into: string, imported: readonly string[]): Promise<void> {
  for (const name of TRIMMED) {
    const source = join(root, "node_modules", name);
    const folder = join(into, "node_modules", name);
    mkdirSync(folder, { recursive: true });
    const specifiers = imported.filter((one) => packageOf(one) === name);
    const exports = await Promise.all(specifiers.map((one) => bundle(root, one, folder)));
    const { version, license } = manifestSchema.parse(
      JSON.parse(readFileSync(join(source, "package.json"), "utf8")),
    );
    const manifest = { name, version, license, type: "module", exports: Object.fromEntries(exports) };
    writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    cpSync(join(source, "LICENSE"), join(folder, "LICENSE"));
  }
}

/** Returns the entry of `exports` of the module that it writes. */
async function bundle(root: string, specifier: string, folder: string): Promise<[string, string]> {
  const path = `.${specifier.slice(packageOf(specifier).length)}`;
  const file = path === "." ? "./index.js" : `./${path.slice("./".length).replaceAll("/", "-")}.js`;
  const bundled = await rolldown({ input: specifier, cwd: root, platform: "node" });
  // Licences of what it contains stay in the text.
  await bundled.write({
    file: join(folder, file),
    format: "esm",
    minify: true,
    keepNames: true,
    comments: { legal: true },
  });
  await bundled.close();
  return [path, file];
}

import { posix } from "node:path";

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\(\s*)["'](\.{1,2}\/[^"'\n]{1,300})["']/g;
const ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", "/index.js", "/index.mjs", "/index.ts"];

/** The project's own files that a file imports, as far as they are there. */
export function findImports(
  file: { readonly path: string; readonly text: string },
  paths: ReadonlySet<string>,
): string[] {
  const folder = posix.dirname(file.path);
  const found = [...file.text.matchAll(IMPORT)].flatMap(([, place = ""]) => {
    const wanted = posix.join(folder, place);
    return ENDINGS.map((ending) => `${wanted}${ending}`).find((path) => paths.has(path)) ?? [];
  });
  return [...new Set(found)];
}

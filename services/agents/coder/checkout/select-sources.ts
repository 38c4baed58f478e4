import { posix } from "node:path";
import { SHOWN_CHARACTERS_MAX, SHOWN_FILE_CHARACTERS_MAX } from "../limits.ts";
import { isSource } from "./project-path.ts";
import { readText } from "./search-text.ts";

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

interface SourceText {
  readonly path: string;
  readonly text: string;
}

interface Selection {
  readonly root: string;
  /** Every path of the project. */
  readonly paths: ReadonlySet<string>;
  /** Where to begin, the most telling first. */
  readonly from: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * Reads the given files, then what they import, then what that imports, until there is as much as one model step is
 * shown. Files that are too long to be shown whole are left out.
 */
export async function selectSources({ root, paths, from, signal }: Selection): Promise<SourceText[]> {
  const queue = [...new Set(from)].filter((path) => paths.has(path));
  const seen = new Set(queue);
  const sources: SourceText[] = [];
  let characters = 0;
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    signal.throwIfAborted();
    const text = isSource(path) ? await readText({ root, path, bytesMax: SHOWN_FILE_CHARACTERS_MAX }) : null;
    if (text === null || characters + text.length > SHOWN_CHARACTERS_MAX) continue;
    characters += text.length;
    sources.push({ path, text });
    const next = findImports({ path, text }, paths).filter((each) => !seen.has(each));
    for (const each of next) seen.add(each);
    queue.push(...next);
  }
  return sources;
}

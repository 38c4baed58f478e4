import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** Of each language the smaller, quicker files. */
const EDITION = "4.0.0_best_int";

let found: Readonly<Record<string, string>> | null = null;

/**
 * Returns the files of letters by language, of the installed packages `@tesseract.js-data/*`. Empty where there are
 * none or Tesseract itself is not installed: both are optional.
 */
export function findLetters(): Readonly<Record<string, string>> {
  found ??= searchLetters();
  return found;
}

function searchLetters(): Record<string, string> {
  const require = createRequire(import.meta.url);
  const letters: Record<string, string> = {};
  const folders = (require.resolve.paths("tesseract.js-core") ?? []).filter((path) => existsSync(path));
  if (!folders.some((folder) => existsSync(join(folder, "tesseract.js-core")))) return letters;
  for (const folder of folders
    .map((path) => join(path, "@tesseract.js-data"))
    .filter((path) => existsSync(path)))
    for (const language of readdirSync(folder))
      // Orientation and script are no language.
      if (/^[a-z_]{3,12}$/.test(language) && language !== "osd")
        letters[language] ??= join(folder, language, EDITION, `${language}.traineddata.gz`);
  return letters;
}

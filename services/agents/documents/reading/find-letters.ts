import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** Of each language the smaller, quicker files. */
const EDITION = "4.0.0_best_int";

let found: Readonly<Record<string, string>> | null = null;

/**
 * Returns the files of letters by language, of the installed packages `@tesseract.js-data/*`. Empty where
 * there are none
 * or Tesseract itself is not installed: both are optional.
 */
export function findLetters(): Readonly<Record<string, string>> {
  found ??= searchLetters();
  return found;
}

function searchLetters(): Record<string, string> {
  const require = createRequire(import.meta.url);
  const letters: Record<string, string> = {};
  try {
    require.resolve("tesseract.js-core/tesseract-core-simd-lstm");
    for (const folder of require.resolve.paths("@tesseract.js-data/eng") ?? [])
      for (const language of languagesIn(join(folder, "@tesseract.js-data")))
        letters[language] ??= join(
          folder,
          "@tesseract.js-data",
          language,
          EDITION,
          `${language}.traineddata.gz`,
        );
  } catch {
    return {};
  }
  return letters;
}

function languagesIn(folder: string): string[] {
  try {
    // Orientation and script are no language.
    return readdirSync(folder).filter((name) => /^[a-z_]{3,12}$/.test(name) && name !== "osd");
  } catch {
    return [];
  }
}

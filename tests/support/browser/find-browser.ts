import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];

/**
 * A browser of this machine that speaks the Chrome DevTools protocol: `SUTURE_BROWSER`, else the first on the PATH;
 * null where there is none. Nothing is downloaded for it.
 */
export function findBrowser(): string | null {
  const named = process.env["SUTURE_BROWSER"];
  if (named !== undefined && named !== "") return named;
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

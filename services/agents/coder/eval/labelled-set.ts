import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readArchives } from "./read-archive.ts";
import type { LabelledCheckout } from "./read-archive.ts";
import { renderSpecs } from "./render-specs.ts";

/** Returns the labelled set: those written by hand, then the functions in four languages. */
export function labelledSet(): LabelledCheckout[] {
  return [...readArchives(new URL("checkouts/", import.meta.url)), ...renderSpecs()];
}

/** Writes files below a folder. */
export function writeFiles(folder: string, files: Iterable<readonly [path: string, text: string]>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

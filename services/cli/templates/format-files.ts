import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FORMATTER = fileURLToPath(new URL("../../../node_modules/.bin/oxfmt", import.meta.url));

/** Formats new files as the rest is, where the formatter is installed: how lines break depends on the names in them. */
export function formatFiles(files: readonly string[]): void {
  if (existsSync(FORMATTER)) spawnSync(process.execPath, [FORMATTER, ...files], { stdio: "ignore" });
}

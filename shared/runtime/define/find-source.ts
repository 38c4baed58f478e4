import { existsSync } from "node:fs";

/**
 * Returns the file of a module whose name is known: its TypeScript, or its JavaScript once built. Null: neither exists.
 *
 * @param path - Path without the ending.
 */
export function findSource(path: string): string | null {
  return [`${path}.ts`, `${path}.js`].find((file) => existsSync(file)) ?? null;
}
